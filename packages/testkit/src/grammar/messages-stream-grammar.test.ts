import { describe, expect, it } from '@jest/globals';
import { checkMessagesStream } from './messages-stream-grammar.js';
import { breachOf, event, type Fault, type Frames, insert, RECEIPT, repeat, replace, swap, without } from './test-support/stream-faults.js';

const start = (index: number, block: object) => event('content_block_start', { index, content_block: block });
const delta = (index: number, fields: object) => event('content_block_delta', { index, delta: fields });
const stop = (index: number) => event('content_block_stop', { index });
const MESSAGES: Frames = [
  event('message_start', {
    message: {
      id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  }),
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
  delta(0, { type: 'signature_delta', signature: 'x' }),
  stop(0),
  start(1, { type: 'text', text: '' }),
  delta(1, { type: 'text_delta', text: 'a' }),
  stop(1),
  start(2, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
  delta(2, { type: 'input_json_delta', partial_json: '{}' }),
  stop(2),
  event('message_delta', {
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 2, ...RECEIPT },
  }),
  event('message_stop'),
];
const PING = event('ping');
const MESSAGES_ERROR = event('error', { error: { type: 'api_error', message: 'No.', code: 'internal_error', request_id: 'req_1' } });

describe('the grammar of a messages stream', () => {
  it('accepts a valid stream and returns its contents', () => {
    expect(checkMessagesStream(MESSAGES.join(''))).toMatchObject({
      message: { id: 'msg_1' },
      blocks: [
        { type: 'thinking', thinking: 'Hm', signature: 'x' },
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', inputJson: '{}' },
      ],
      stopReason: 'tool_use',
      usage: { output_tokens: 2 },
      error: null,
    });
  });

  it.each<Fault>([
    ['pings between all events', (frames) => frames.flatMap((frame, index) => (index === 0 ? [frame] : [PING, frame])), 0],
    ['an error at once', () => [MESSAGES_ERROR], 0],
    ['an error inside a block', (frames) => [...frames.slice(0, 6), MESSAGES_ERROR], 0],
    ['a text without deltas', without(6), 0],
    ['no block at all', (frames) => frames.filter((_, index) => index === 0 || index > 10), 0],
  ])('accepts %s', (_, change) => {
    expect(breachOf(checkMessagesStream, change(MESSAGES).join(''))).toBeNull();
  });

  it.each<Fault>([
    ['a missing message_start', without(0), 0],
    ['a second message_start', repeat(0), 1],
    ['a ping before message_start', insert(0, PING), 0],
    ['a comment', insert(1, ': keep-alive\n\n'), 1],
    ['a missing event line', replace(6, 'event: content_block_delta\n', ''), 6],
    ['an event line that says something else', replace(6, 'event: content_block_delta', 'event: content_block_start'), 6],
    ['an event of an unknown type', insert(1, event('billing')), 1],
    ['a start without usage', replace(0, ',"usage":{"input_tokens":0,"output_tokens":0}', ''), 0],
    ['a start that counts tokens', replace(0, '"input_tokens":0', '"input_tokens":7'), 0],
    ['a start without a role', replace(0, '"role":"assistant",', ''), 0],
    ['a gap between blocks', replace(5, '"index":1', '"index":2'), 5],
    ['two open blocks', without(7), 7],
    ['a delta of a closed block', replace(6, '"index":1', '"index":0'), 6],
    ['a delta of another type', replace(6, 'text_delta', 'thinking_delta'), 6],
    ['an empty delta', replace(6, '"a"', '""'), 6],
    ['a text that starts with text', replace(5, '"text":""', '"text":"a"'), 5],
    ['a block of an unknown type', replace(5, '"type":"text"', '"type":"image"'), 5],
    ['thinking without a place for its signature', replace(1, ',"signature":""', ''), 1],
    ['thinking that is never signed', without(3), 3],
    ['thinking that is signed twice', repeat(3), 4],
    ['an empty signature', replace(3, '"x"', '""'), 3],
    ['thinking after its signature', swap(2), 3],
    ['a signed text', insert(7, delta(1, { type: 'signature_delta', signature: 'x' })), 7],
    ['a tool call without arguments', without(9), 9],
    ['a tool call without an id', replace(8, 'toolu_1', ''), 8],
    ['a block that never stops', without(10), 10],
    ['a missing message_delta', without(11), 11],
    ['a second message_delta', repeat(11), 12],
    ['a block after message_delta', insert(12, start(3, { type: 'text', text: '' })), 12],
    ['an unknown stop reason', replace(11, 'tool_use', 'refusal'), 11],
    ['a stop reason of null', replace(11, '"tool_use"', 'null'), 11],
    ['a missing stop sequence', replace(11, ',"stop_sequence":null', ''), 11],
    ['usage without the cache', replace(11, '"cache_read_input_tokens":0,', ''), 11],
    ['a bill without the fallback', replace(11, ',"svc_fallback_used":false', ''), 11],
    ['an amount that is a number', replace(11, '"1.5"', '1.5'), 11],
    ['a missing message_stop', without(12), 12],
    ['an event after message_stop', insert(13, PING), 13],
    ['an event after an error', (frames) => [MESSAGES_ERROR, ...frames], 1],
    ['nothing at all', () => [], 0],
  ])('rejects %s', (_, change, frame) => {
    expect(change(MESSAGES)).not.toEqual(MESSAGES);
    expect(breachOf(checkMessagesStream, change(MESSAGES).join(''))).toBe(frame);
  });
});
