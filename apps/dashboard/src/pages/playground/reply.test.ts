import { describe, expect, it } from '@jest/globals';
import { eventData } from '../../api/event-stream.js';
import { afterData, type Format, type ModelReply, NO_REPLY } from './reply.js';

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

const chat = (...chunks: readonly unknown[]) => `${[...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}`).join('\n\n')}\n\n`;
const messages = (...events: readonly { readonly type: string }[]) => events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join('');
const delta = (part: unknown) => ({ choices: [{ index: 0, delta: part }] });
const RECEIPT = { svc_tokens_debited: '0.606', svc_cost_usd: '0.000606', svc_balance_tokens: '9007199254.740993' };
const PENDING = { svc_tokens_debited: '0.606', svc_cost_usd: '0.000606', svc_settlement: 'pending' };

describe('a streamed reply', () => {
  it.each([1, 3, 1_000])('is the same however its bytes are split, here into pieces of %s bytes', async (pieceLength) => {
    const text = chat(delta({ reasoning_content: 'Hm …' }), delta({ content: 'Grüße ' }), delta({ content: '🌍' }));
    expect(await replyOf('chat', text, pieceLength)).toEqual({ ...NO_REPLY, thinking: 'Hm …', text: 'Grüße 🌍', pieces: 3 });
  });

  it('in the chat format has text, calls, finish reason and receipt, digit for digit', async () => {
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

  it('in the messages format has thinking, text, calls, stop reason and receipt', async () => {
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

  it('in the responses format has thinking, text, calls and receipt once, although the gateway repeats them', async () => {
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

  it('in the responses format has its receipt even if it was truncated', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, ...RECEIPT };
    const reply = await replyOf('responses', messages({ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage } } as never));
    expect(reply).toMatchObject({ stopReason: 'max_output_tokens', receipt: { charged: '0.606', outputTokens: 2 } });
  });

  it.each<[Format, string]>([
    ['chat', chat({ choices: [], usage: { prompt_tokens: 147, completion_tokens: 11 }, ...PENDING })],
    ['messages', messages({ type: 'message_delta', delta: {}, usage: { input_tokens: 147, output_tokens: 11, ...PENDING } } as never)],
    ['responses', messages({ type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 147, output_tokens: 11, ...PENDING } } } as never)],
  ])('has a pending receipt in the format %s', async (format, text) => {
    expect((await replyOf(format, text)).receipt).toEqual({ charged: '0.606', usd: '0.000606', balance: null, isPending: true, promptTokens: 147, outputTokens: 11 });
  });

  it.each<[Format, string]>([
    ['responses', messages(
      { type: 'response.output_text.delta', delta: 'Hi' } as never, { type: 'error', code: 'provider_unavailable', message: 'The model stopped.' } as never,
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'The model stopped.' } } } as never,
    )],
    ['chat', chat(delta({ content: 'Hi' }), { error: { code: 'provider_unavailable', message: 'The model stopped.' } })],
    ['messages', messages({ type: 'content_block_delta', delta: { text: 'Hi' } } as never, { type: 'error', error: { code: 'provider_unavailable', message: 'The model stopped.' } } as never)],
  ])('keeps what arrived if it fails midway, in the format %s', async (format, text) => {
    expect(await replyOf(format, text)).toMatchObject({ text: 'Hi', receipt: null, failure: { code: 'provider_unavailable', message: 'The model stopped.' } });
  });
});
