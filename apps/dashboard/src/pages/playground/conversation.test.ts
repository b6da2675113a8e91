import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { bodyOf as snippetBodyOf } from '../../components/snippets/request.js';
import { type ModelTurn, readTools, requestOf, type Settings, type Turn } from './conversation.js';
import { FORMATS, NO_REPLY } from './reply.js';

const WIRE_FORMATS = { chat: chatFormat, messages: messagesFormat, responses: responsesFormat({ seal: null, clock: new ManualClock() }) };

describe('a conversation as a request', () => {
  const settings: Settings = { model: 'm', format: 'chat', system: 'Be brief.', maximum: '', temperature: '', topP: '', stop: '', effort: 'default', tools: '' };
  const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' };
  const answer: ModelTurn = { role: 'model', model: 'm', reply: { ...NO_REPLY, toolCalls: [call] }, requestId: null, firstOutput: null, took: 1, stopped: false, raw: null };
  const turns: readonly Turn[] = [
    { role: 'user', text: 'Weather?', pictures: [{ name: 'a.png', address: 'data:image/png;base64,AAAA' }], results: [] }, answer,
    { role: 'user', text: '', pictures: [], results: [{ call, result: 'sunny' }] },
  ];

  it('in the chat format encodes calls, results and pictures', () => {
    expect(requestOf(settings, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' }, { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, { type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ]);
  });

  it('in the messages format encodes calls, results and pictures', () => {
    expect(requestOf({ ...settings, format: 'messages' }, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }, { type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] },
    ]);
  });

  it('in the responses format encodes calls and results as items, and pictures in messages', () => {
    expect(requestOf({ ...settings, format: 'responses' }, turns, 'http://x').messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }, { type: 'input_text', text: 'Weather?' }] },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ]);
  });

  it('is decoded by the gateway to the same conversation and tools in every format', () => {
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

  it('encodes top-p, and stop sequences unless the format is responses, which has none', () => {
    const asked = { ...settings, topP: '0.9', stop: 'END\n\n###' };
    expect(requestOf(asked, [], '').extra).toEqual({ top_p: 0.9, stop: ['END', '###'] });
    expect(requestOf({ ...asked, format: 'messages' }, [], '').extra).toEqual({ top_p: 0.9, stop_sequences: ['END', '###'] });
    expect(requestOf({ ...asked, format: 'responses' }, [], '').extra).toEqual({ top_p: 0.9 });
  });

  it('in the responses format disables storage', () => {
    expect(snippetBodyOf(requestOf({ ...settings, format: 'responses' }, turns, ''))).toMatchObject({ store: false, instructions: 'Be brief.' });
  });

  it('encodes thinking and output limits in each format', () => {
    const asked = { ...settings, effort: 'low', maximum: '300', temperature: '0.5' } as const;
    expect(requestOf(asked, [], '')).toMatchObject({ maxTokens: 300, extra: { reasoning_effort: 'low', temperature: 0.5 } });
    expect(requestOf({ ...asked, format: 'responses' }, [], '')).toMatchObject({ maxTokens: 300, extra: { reasoning: { effort: 'low' }, temperature: 0.5 } });
    expect(requestOf({ ...asked, format: 'messages', maximum: '' }, [], '')).toMatchObject({ maxTokens: 2_048, extra: { thinking: { type: 'enabled', budget_tokens: 1_024 } } });
  });

  it.each([['[', 'json'], ['{}', 'list'], ['[{"type":"function"}]', 'tool']])('reports the error in the tools %s', (text, problem) => {
    expect(readTools(text)).toEqual({ problem });
  });
});
