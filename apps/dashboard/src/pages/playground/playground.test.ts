import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { eventData } from '../../api/event-stream.js';
import { bodyOf as snippetBodyOf } from '../../components/snippets/request.js';
import { type ModelTurn, readTools, requestOf, type Settings, type Turn } from './conversation.js';
import { afterData, type Format, FORMATS, type ModelReply, NO_REPLY } from './reply.js';

function bodyOf(text: string, pieceLength: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += pieceLength) controller.enqueue(bytes.slice(at, at + pieceLength));
      controller.close();
    },
  });
}

async function replyOf(format: Format, text: string, pieceLength = 7): Promise<ModelReply> {
  let reply = NO_REPLY;
  for await (const data of eventData(bodyOf(text, pieceLength))) reply = afterData(reply, format, data);
  return reply;
}

const WIRE_FORMATS = { chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: null, clock: new ManualClock() }) };
const chat = (...chunks: readonly unknown[]) => `${[...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}`).join('\n\n')}\n\n`;
const messages = (...events: readonly { readonly type: string }[]) => events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join('');
const delta = (part: unknown) => ({ choices: [{ index: 0, delta: part }] });
const RECEIPT = { svc_tokens_debited: '0.606', svc_cost_usd: '0.000606', svc_balance_tokens: '9007199254.740993' };
const PENDING = { svc_tokens_debited: '0.606', svc_cost_usd: '0.000606', svc_settlement: 'pending' };

describe('a streamed reply', () => {
  it.each([1, 3, 1_000])('is the same however its bytes are cut, here into pieces of %s', async (pieceLength) => {
    const text = chat(delta({ reasoning_content: 'Hm …' }), delta({ content: 'Grüße ' }), delta({ content: '🌍' }));
    expect(await replyOf('chat', text, pieceLength)).toEqual({ ...NO_REPLY, thinking: 'Hm …', text: 'Grüße 🌍', pieces: 3 });
  });

  it('in the chat format has thinking, text, calls, the reason of its end and the receipt, digit for digit', async () => {
    const reply = await replyOf('chat', chat(
      delta({ role: 'assistant', content: null }), delta({ content: 'Hi' }),
      delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '' } }] }), delta({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }), { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 147, completion_tokens: 11 }, ...RECEIPT },
    ));
    expect(reply).toEqual({
      thinking: '', text: 'Hi', toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' }], pieces: 4, failure: null, stopReason: 'tool_calls',
      receipt: { charged: '0.606', usd: '0.000606', balance: '9007199254.740993', isPending: false, promptTokens: 147, outputTokens: 11 },
    });
  });

  it('in the messages format has the same', async () => {
    const reply = await replyOf('messages', messages(
      { type: 'message_start' }, { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Hm' } } as never, { type: 'content_block_delta', delta: { type: 'signature_delta' } } as never,
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } } as never, { type: 'content_block_start', content_block: { type: 'tool_use', id: 'call_1', name: 'weather' } } as never,
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{}' } } as never,
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 100, cache_read_input_tokens: 47, output_tokens: 11, ...RECEIPT } } as never, { type: 'message_stop' },
    ));
    expect(reply).toEqual({
      thinking: 'Hm', text: 'Hi', toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{}' }], pieces: 3, failure: null, stopReason: 'tool_use',
      receipt: { charged: '0.606', usd: '0.000606', balance: '9007199254.740993', isPending: false, promptTokens: 147, outputTokens: 11 },
    });
  });

  it('in the responses format has the same, whatever is repeated while nothing comes', async () => {
    const reply = await replyOf('responses', messages(
      { type: 'response.created', response: { status: 'in_progress' } } as never, { type: 'response.output_item.added', item: { type: 'reasoning' } } as never,
      { type: 'response.reasoning_summary_text.delta', delta: 'Hm' } as never, { type: 'response.in_progress', response: { status: 'in_progress', output: [{ type: 'reasoning' }] } } as never,
      { type: 'response.reasoning_summary_text.done', text: 'Hm' } as never, { type: 'response.output_item.added', item: { type: 'message' } } as never,
      { type: 'response.output_text.delta', delta: 'Hi' } as never, { type: 'response.output_text.done', text: 'Hi' } as never,
      { type: 'response.output_item.added', item: { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '' } } as never,
      { type: 'response.function_call_arguments.delta', delta: '{}' } as never, { type: 'response.function_call_arguments.done', arguments: '{}' } as never,
      { type: 'response.completed', response: { status: 'completed', incomplete_details: null, usage: { input_tokens: 147, output_tokens: 11, ...RECEIPT } } } as never,
    ));
    expect(reply).toEqual({
      thinking: 'Hm', text: 'Hi', toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{}' }], pieces: 3, failure: null, stopReason: 'completed',
      receipt: { charged: '0.606', usd: '0.000606', balance: '9007199254.740993', isPending: false, promptTokens: 147, outputTokens: 11 },
    });
  });

  it('in the responses format has its receipt where it was cut off, too', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, ...RECEIPT };
    const reply = await replyOf('responses', messages({ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage } } as never));
    expect(reply).toMatchObject({ stopReason: 'max_output_tokens', receipt: { charged: '0.606', outputTokens: 2 } });
  });

  it.each<[Format, string]>([
    ['chat', chat({ choices: [], usage: { prompt_tokens: 147, completion_tokens: 11 }, ...PENDING })],
    ['messages', messages({ type: 'message_delta', delta: {}, usage: { input_tokens: 147, output_tokens: 11, ...PENDING } } as never)],
    ['responses', messages({ type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 147, output_tokens: 11, ...PENDING } } } as never)],
  ])('has a receipt that says that its charge is pending, in the format %s', async (format, text) => {
    expect((await replyOf(format, text)).receipt).toEqual({ charged: '0.606', usd: '0.000606', balance: null, isPending: true, promptTokens: 147, outputTokens: 11 });
  });

  it.each<[Format, string]>([
    ['responses', messages(
      { type: 'response.output_text.delta', delta: 'Hi' } as never, { type: 'error', code: 'provider_unavailable', message: 'The model stopped.' } as never,
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'The model stopped.' } } } as never,
    )],
    ['chat', chat(delta({ content: 'Hi' }), { error: { code: 'provider_unavailable', message: 'The model stopped.' } })],
    ['messages', messages({ type: 'content_block_delta', delta: { text: 'Hi' } } as never, { type: 'error', error: { code: 'provider_unavailable', message: 'The model stopped.' } } as never)],
  ])('that fails in its middle keeps what came, in the format %s', async (format, text) => {
    expect(await replyOf(format, text)).toMatchObject({ text: 'Hi', receipt: null, failure: { code: 'provider_unavailable', message: 'The model stopped.' } });
  });
});

describe('a conversation as a request', () => {
  const settings: Settings = { model: 'm', format: 'chat', system: 'Be brief.', maximum: '', temperature: '', effort: 'default', tools: '' };
  const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' };
  const answer: ModelTurn = { role: 'model', model: 'm', reply: { ...NO_REPLY, toolCalls: [call] }, requestId: null, firstOutput: null, took: 1, stopped: false };
  const turns: readonly Turn[] = [
    { role: 'user', text: 'Weather?', pictures: [{ name: 'a.png', address: 'data:image/png;base64,AAAA' }], results: [] }, answer,
    { role: 'user', text: '', pictures: [], results: [{ call, result: 'sunny' }] },
  ];

  it('in the chat format has calls, results and pictures in its own words', () => {
    expect(requestOf(settings, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' }, { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, { type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ]);
  });

  it('in the messages format has them in its own', () => {
    expect(requestOf({ ...settings, format: 'messages' }, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }, { type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] },
    ]);
  });

  it('in the responses format has them as items', () => {
    expect(requestOf({ ...settings, format: 'responses' }, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }, { type: 'input_text', text: 'Weather?' }] },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ]);
  });

  it('is read from each format as the same conversation with the same tools', () => {
    const tools = JSON.stringify([{ type: 'function', function: { name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: {} } } }]);
    const asked: Settings = { ...settings, tools, maximum: '2000', temperature: '0.5', effort: 'low' };
    const [ofChat, ...others] = FORMATS.map((format) => {
      const { generation, delivery } = WIRE_FORMATS[format].decodeRequest(JSON.parse(JSON.stringify(snippetBodyOf(requestOf({ ...asked, format }, turns, '')))), null);
      const { conversation, tools: offered, maxOutputTokens, sampling } = generation;
      return { delivery, conversation, tools: offered, maxOutputTokens, temperature: sampling.temperature };
    });
    expect(ofChat).toMatchObject({ delivery: 'stream', maxOutputTokens: 2_000, temperature: 0.5 });
    for (const other of others) expect(other).toEqual(ofChat);
  });

  it('in the responses format asks that nothing is stored', () => {
    expect(snippetBodyOf(requestOf({ ...settings, format: 'responses' }, turns, ''))).toMatchObject({ store: false, instructions: 'Be brief.' });
  });

  it('asks for thinking and output in the words of each format', () => {
    const asked = { ...settings, effort: 'low', maximum: '300', temperature: '0.5' } as const;
    expect(requestOf(asked, [], '')).toMatchObject({ maxTokens: 300, extra: { reasoning_effort: 'low', temperature: 0.5 } });
    expect(requestOf({ ...asked, format: 'responses' }, [], '')).toMatchObject({ maxTokens: 300, extra: { reasoning: { effort: 'low' }, temperature: 0.5 } });
    expect(requestOf({ ...asked, format: 'messages', maximum: '' }, [], '')).toMatchObject({ maxTokens: 2_048, extra: { thinking: { type: 'enabled', budget_tokens: 1_024 } } });
  });

  it.each([['[', 'json'], ['{}', 'list'], ['[{"type":"function"}]', 'tool']])('says what is wrong with the tools %s', (text, problem) => {
    expect(readTools(text)).toEqual({ problem });
  });
});
