import { describe, expect, it } from '@jest/globals';
import { checkChatStream } from './chat-stream-grammar.js';
import { breachOf, edit, type Fault, type Frames, insert, RECEIPT, repeat, replace, swap, without } from './test-support/stream-faults.js';

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', system_fingerprint: 'fp', ...fields })}\n\n`;
const choice = (delta: object, finishReason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] });
const CHAT_USAGE = {
  prompt_tokens: 3,
  completion_tokens: 2,
  total_tokens: 5,
  prompt_tokens_details: { cached_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 1 },
  prompt_cache_hit_tokens: 1,
  prompt_cache_miss_tokens: 2,
  ...RECEIPT,
};
const call = (index: number, id: string) => choice({ tool_calls: [{ index, id, type: 'function', function: { name: 'look', arguments: '' } }] });
const fragment = (index: number, text: string) => choice({ tool_calls: [{ index, function: { arguments: text } }] });
const CHAT: Frames = [
  choice({ role: 'assistant', content: null }),
  choice({ reasoning_content: 'Hm' }),
  choice({ content: 'a' }),
  call(0, 'call_1'),
  fragment(0, '{"a":1}'),
  call(1, 'call_2'),
  fragment(1, '{}'),
  choice({}, 'tool_calls'),
  chunk({ choices: [], usage: CHAT_USAGE, ...RECEIPT }),
  'data: [DONE]\n\n',
];
const CHAT_ERROR = 'data: {"error":{"message":"No.","type":"api_error","code":"internal_error","request_id":"req_1"}}\n\n';

describe('the grammar of a chat stream', () => {
  it('accepts a valid stream and returns its contents', () => {
    expect(checkChatStream(CHAT.join(''))).toMatchObject({
      text: 'a',
      reasoning: 'Hm',
      toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"a":1}' }, { id: 'call_2', name: 'look', arguments: '{}' }],
      finishReason: 'tool_calls',
      last: { usage: CHAT_USAGE },
      error: null,
    });
  });

  it.each<Fault>([
    ['a comment between frames', insert(1, ': keep-alive\n\n'), 1],
    ['a last chunk without usage', replace(8, `"usage":${JSON.stringify(CHAT_USAGE)},`, ''), 8],
    ['an error at once', () => [CHAT_ERROR], 0],
    ['an error in the middle', (frames) => [...frames.slice(0, 4), CHAT_ERROR], 0],
  ])('accepts %s', (_, change) => {
    expect(breachOf(checkChatStream, change(CHAT).join(''))).toBeNull();
  });

  it.each<Fault>([
    ['a missing [DONE]', without(9), 9],
    ['a frame after [DONE]', repeat(9), 10],
    ['a frame cut short', (frames) => frames.with(9, 'data: [DONE]\n'), 9],
    ['an event line', replace(2, 'data: ', 'event: x\ndata: '), 2],
    ['two data lines in one frame', replace(2, 'data: ', 'data: x\ndata: '), 2],
    ['data that is no JSON', replace(2, '{"id"', '{id'), 2],
    ['another id', replace(2, 'chatcmpl-1', 'chatcmpl-2'), 2],
    ['another model', replace(6, '"m"', '"n"'), 6],
    ['a missing role', without(0), 0],
    ['a repeated role', repeat(0), 1],
    ['content beside the role', replace(0, 'null}', '"a"}'), 0],
    ['an error key on a chunk', replace(2, '"id"', '"error":null,"id"'), 2],
    ['usage on another chunk', replace(2, '"choices"', '"usage":null,"choices"'), 2],
    ['an empty piece', replace(2, '"a"', '""'), 2],
    ['null reasoning', replace(1, '"Hm"', 'null'), 1],
    ['two things in one delta', replace(2, '"content":"a"', '"content":"a","reasoning_content":"b"'), 2],
    ['a second choice', replace(2, '"choices":[', '"choices":[{"index":1},'), 2],
    ['a delta for a tool call that is not open', replace(6, '"index":1', '"index":0'), 6],
    ['a gap between tool calls', replace(5, '[{"index":1', '[{"index":2'), 5],
    ['a repeated tool call', replace(4, '"function":{', '"id":"call_1","type":"function","function":{'), 4],
    ['a tool call without arguments', without(6), 6],
    ['a tool call before it without arguments', without(4), 4],
    ['a missing finish', without(7), 7],
    ['a second finish', repeat(7), 8],
    ['a delta after the finish', swap(6), 6],
    ['an unknown finish reason', replace(7, '"tool_calls"}', '"tired"}'), 7],
    ['a missing last chunk', without(8), 8],
    ['a second last chunk', repeat(8), 9],
    ['a bill without a balance', replace(8, '"svc_balance_tokens":"10",', ''), 8],
    ['a bill that differs from usage', edit(8, (frame) => frame.replace('"svc_tokens_debited":"1.5"', '"svc_tokens_debited":"2"')), 8],
    ['an amount that is a number', replace(8, '"1.5"', '1.5'), 8],
    ['an amount with trailing zeros', replace(8, '"1.5"', '"1.50"'), 8],
    ['an amount with an exponent', replace(8, '"1.5"', '"1e-7"'), 8],
    ['counts that do not add up', replace(8, '"total_tokens":5', '"total_tokens":6'), 8],
    ['a frame after an error', (frames) => [CHAT_ERROR, ...frames], 1],
    ['an error without a request id', () => [CHAT_ERROR.replace('req_1', '')], 0],
    ['nothing at all', () => [], 0],
  ])('rejects %s', (_, change, frame) => {
    expect(change(CHAT)).not.toEqual(CHAT);
    expect(breachOf(checkChatStream, change(CHAT).join(''))).toBe(frame);
  });
});
