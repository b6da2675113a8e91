import { describe, expect, it } from '@jest/globals';
import { checkResponsesStream } from './responses-stream-grammar.js';
import { breachOf, edit, event, type Fault, type Frames, insert, RECEIPT, repeat, replace, swap, without } from './test-support/stream-faults.js';

const USAGE = {
  input_tokens: 3, input_tokens_details: { cached_tokens: 1, cache_write_tokens: 1 }, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1 }, total_tokens: 5, ...RECEIPT,
};
const IN_PROGRESS = {
  id: 'resp_1', object: 'response', created_at: 1, completed_at: null, status: 'in_progress', error: null, incomplete_details: null, model: 'm', output: [],
  instructions: null, tools: [], tool_choice: 'auto', parallel_tool_calls: true, temperature: 1, top_p: 1, text: {}, reasoning: {}, max_output_tokens: null, metadata: {},
  prompt_cache_key: null, store: false, background: false, previous_response_id: null, service_tier: 'default', truncation: 'disabled', access_programs: null,
};
const REASONING = { id: 'rs_1_0', type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'x' };
const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const MESSAGE = { id: 'msg_1_1', type: 'message', role: 'assistant', status: 'completed', content: [part('ab')] };
const CALL = { id: 'fc_1_2', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'look', namespace: 'group', arguments: '{}' };
const CUSTOM = { id: 'ctc_1_3', type: 'custom_tool_call', status: 'completed', call_id: 'call_2', name: 'patch', input: 'p' };
const SEARCH = { id: 'tsc_1_4', type: 'tool_search_call', status: 'completed', call_id: 'call_3', execution: 'client', arguments: { query: 'x' } };
const ITEMS = [REASONING, MESSAGE, CALL, CUSTOM, SEARCH];

const added = (index: number, item: object) => event('response.output_item.added', { sequence_number: 0, output_index: index, item: { ...item, status: 'in_progress' } });
const done = (index: number, item: object) => event('response.output_item.done', { sequence_number: 0, output_index: index, item });
const content = (type: string, place: object, fields: object) => event(`response.${type}`, { sequence_number: 0, ...place, ...fields });
const lifecycle = (type: string, differences: object = {}) => event(`response.${type}`, { sequence_number: 0, response: { ...IN_PROGRESS, ...differences } });
const { encrypted_content: _sealed, ...openReasoning } = REASONING;
const RS = { item_id: 'rs_1_0', output_index: 0, summary_index: 0 };
const MSG = { item_id: 'msg_1_1', output_index: 1, content_index: 0 };
const FC = { item_id: 'fc_1_2', output_index: 2 };
const CTC = { item_id: 'ctc_1_3', output_index: 3 };

/** Gives each event its `sequence_number`. Comments have none. */
function numbered(frames: Frames): Frames {
  let number = 0;
  return frames.map((frame) => (frame.startsWith(':') ? frame : frame.replace('"sequence_number":0', () => `"sequence_number":${number++}`)));
}

const UNNUMBERED: Frames = [
  lifecycle('created'),
  lifecycle('in_progress'),
  added(0, { ...openReasoning, summary: [] }),
  content('reasoning_summary_part.added', RS, { part: { type: 'summary_text', text: '' } }),
  content('reasoning_summary_text.delta', RS, { delta: 'Hm' }),
  content('reasoning_summary_text.done', RS, { text: 'Hm' }),
  content('reasoning_summary_part.done', RS, { part: { type: 'summary_text', text: 'Hm' } }),
  done(0, REASONING),
  added(1, { ...MESSAGE, content: [] }),
  content('content_part.added', MSG, { part: part('') }),
  content('output_text.delta', MSG, { logprobs: [], delta: 'a' }),
  content('output_text.delta', MSG, { logprobs: [], delta: 'b' }),
  content('output_text.done', MSG, { logprobs: [], text: 'ab' }),
  content('content_part.done', MSG, { part: part('ab') }),
  done(1, MESSAGE),
  added(2, { ...CALL, arguments: '' }),
  content('function_call_arguments.delta', FC, { delta: '{}' }),
  content('function_call_arguments.done', FC, { name: 'look', arguments: '{}' }),
  done(2, CALL),
  added(3, { ...CUSTOM, input: '' }),
  content('custom_tool_call_input.delta', CTC, { delta: 'p' }),
  content('custom_tool_call_input.done', CTC, { input: 'p' }),
  done(3, CUSTOM),
  added(4, { ...SEARCH, arguments: {} }),
  done(4, SEARCH),
  lifecycle('completed', { status: 'completed', completed_at: 2, output: ITEMS, usage: USAGE }),
];
const SOUND = numbered(UNNUMBERED);
const LAST = 25;
const ERROR = event('error', { sequence_number: 0, code: 'c', message: 'No.', param: null, error: { type: 't', code: 'c', message: 'No.', param: null, request_id: 'req_1' } });
const FAILED = lifecycle('failed', { status: 'failed', error: { code: 'server_error', message: 'No.' } });
const HEARTBEAT = lifecycle('in_progress');
const heartbeat = (...output: readonly object[]) => lifecycle('in_progress', { output });
const failing = (at: number, ...frames: Frames): Fault[1] => () => [...UNNUMBERED.slice(0, at), ...frames];
/** A stream whose last item, the message, is incomplete. */
const CUT_OFF: Frames = [
  ...UNNUMBERED.slice(0, 14),
  done(1, { ...MESSAGE, status: 'incomplete' }),
  lifecycle('incomplete', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [REASONING, { ...MESSAGE, status: 'incomplete' }], usage: USAGE }),
];

describe('the grammar of a responses stream', () => {
  it('accepts a valid stream and returns its contents', () => {
    const { events, ...checked } = checkResponsesStream(SOUND.join(''));
    expect(checked).toMatchObject({ items: ITEMS, response: { id: 'resp_1', output: ITEMS }, usage: { total_tokens: 5 }, error: null });
    expect(events).toHaveLength(LAST + 1);
  });

  it.each<Fault>([
    ['comments anywhere', (frames) => frames.flatMap((frame) => [': keep-alive\n\n', frame]), 0],
    ['a heartbeat before the first item', insert(2, HEARTBEAT), 0],
    ['a heartbeat between items', insert(8, heartbeat(REASONING)), 0],
    ['a heartbeat before a part', insert(3, heartbeat({ ...openReasoning, status: 'in_progress', summary: [] })), 0],
    ['a heartbeat within a text', insert(11, heartbeat(REASONING, { ...MESSAGE, status: 'in_progress', content: [part('a')] })), 0],
    ['a heartbeat within arguments', insert(17, heartbeat(REASONING, MESSAGE, { ...CALL, status: 'in_progress' })), 0],
    ['reasoning without a summary', (frames) => edit(LAST - 4, (frame) => frame.replace(/"summary":\[\{[^\]]*\]/, '"summary":[]'))(
      edit(3, (frame) => frame.replace(/"summary":\[\{[^\]]*\]/, '"summary":[]'))(frames.toSpliced(3, 4)),
    ), 0],
    ['a reply that is cut off', () => CUT_OFF, 0],
    ['a failure at once', failing(2, ERROR, FAILED), 0],
    ['a failure inside an item', failing(11, ERROR, FAILED), 0],
    ['a failure that was charged', failing(11, ERROR, FAILED.replace('"access_programs":null', `"access_programs":null,"usage":${JSON.stringify(USAGE)}`)), 0],
    ['a custom call without input', (frames) => frames.toSpliced(20, 1).map((frame) => frame.replaceAll('"input":"p"', '"input":""')), 0],
  ])('accepts %s', (_, change) => {
    expect(breachOf(checkResponsesStream, numbered(change(UNNUMBERED)).join(''))).toBeNull();
  });

  it.each<Fault>([
    ['a gap in the numbers', replace(9, '"sequence_number":9', '"sequence_number":10'), 9],
    ['numbers from 1', replace(0, '"sequence_number":0', '"sequence_number":1'), 0],
    ['a lost event', without(9), 9],
    ['a repeated event', repeat(9), 10],
    ['events in another order', swap(3), 3],
    ['a frame cut short', (frames) => frames.with(LAST, frames[LAST]?.trim() ?? ''), LAST],
    ['a missing event line', replace(10, 'event: response.output_text.delta\n', ''), 10],
    ['an event line that says something else', replace(10, 'event: response.output_text.delta', 'event: response.output_text.done'), 10],
    ['[DONE]', insert(LAST + 1, 'data: [DONE]\n\n'), LAST + 1],
    ['an event after the last', insert(LAST + 1, HEARTBEAT), LAST + 1],
    ['a comment after the last event', insert(LAST + 1, ': keep-alive\n\n'), LAST + 1],
    ['nothing at all', () => [], 0],
  ])('rejects %s', (_, change, frame) => {
    expect(change(SOUND)).not.toEqual(SOUND);
    expect(breachOf(checkResponsesStream, change(SOUND).join(''))).toBe(frame);
  });

  it.each<Fault>([
    ['a missing response.created', without(0), 0],
    ['a second response.created', repeat(0), 1],
    ['a missing response.in_progress', without(1), 1],
    ['an event that no client knows', insert(2, event('response.billing', { sequence_number: 0 })), 2],
    ['a ping', insert(2, event('ping', { sequence_number: 0 })), 2],
    ['another id of the response', replace(LAST, 'resp_1', 'resp_2'), LAST],
    ['another model', replace(1, '"model":"m"', '"model":"n"'), 1],
    ['another time of creation', replace(LAST, '"created_at":1', '"created_at":2'), LAST],
    ['a response without tools', replace(0, '"tools":[],', ''), 0],
    ['a response with a user of null', replace(0, '"tools":[],', '"tools":[],"user":null,'), 0],
    ['usage before the end', replace(1, '"output":[]', '"output":[],"usage":null'), 1],
    ['output before the end', replace(1, '"output":[]', '"output":[1]'), 1],
    ['a heartbeat that forgets an item', insert(8, HEARTBEAT), 8],
    ['a heartbeat that forgets a piece', insert(12, heartbeat(REASONING, { ...MESSAGE, status: 'in_progress', content: [part('a')] })), 12],
    ['a response that starts as completed', replace(0, 'in_progress"', 'completed"'), 0],
    ['a missing output_item.added', without(8), 8],
    ['two open items', without(14), 14],
    ['a gap between items', replace(8, '"output_index":1', '"output_index":2'), 8],
    ['an id that was given already', replace(8, 'msg_1_1', 'rs_1_0'), 8],
    ['an id with a wrong prefix', replace(8, 'msg_1_1', 'item_1'), 8],
    ['an item that no client knows', replace(8, '"message"', '"web_search_call"'), 8],
    ['an item that starts as completed', replace(8, 'in_progress', 'completed'), 8],
    ['an added message without content', replace(8, ',"content":[]', ''), 8],
    ['an added message with content', replace(8, '"content":[]', '"content":[1]'), 8],
    ['an added message without a role', replace(8, '"role":"assistant",', ''), 8],
    ['added reasoning without a summary', replace(2, ',"summary":[]', ''), 2],
    ['an added call with arguments', replace(15, '"arguments":""', '"arguments":"{}"'), 15],
    ['an added call without an id', replace(15, '"call_id":"call_1",', ''), 15],
    ['an added search with a text', replace(23, '"arguments":{}', '"arguments":""'), 23],
    ['a missing content_part.added', without(9), 9],
    ['a second content_part.added', repeat(9), 10],
    ['a part that starts with text', replace(9, '"text":""', '"text":"a"'), 9],
    ['a part without annotations', replace(9, ',"annotations":[]', ''), 9],
    ['a delta without item_id', replace(10, '"item_id":"msg_1_1",', ''), 10],
    ['a delta of another item', replace(10, 'msg_1_1', 'rs_1_0'), 10],
    ['a delta without output_index', replace(10, '"output_index":1,', ''), 10],
    ['a delta of another output_index', replace(10, '"output_index":1', '"output_index":0'), 10],
    ['a delta without content_index', replace(10, '"content_index":0,', ''), 10],
    ['a delta of another part', replace(10, '"content_index":0', '"content_index":1'), 10],
    ['a summary delta without summary_index', replace(4, '"summary_index":0,', ''), 4],
    ['a delta without logprobs', replace(10, '"logprobs":[],', ''), 10],
    ['an empty delta', replace(10, '"delta":"a"', '"delta":""'), 10],
    ['a lost delta', without(11), 11],
    ['a delta after its text is done', insert(13, content('output_text.delta', MSG, { logprobs: [], delta: 'c' })), 13],
    ['a text that is done before its last piece', swap(11), 11],
    ['a text that is not its pieces', replace(12, '"ab"', '"a"'), 12],
    ['a missing output_text.done', without(12), 12],
    ['a missing content_part.done', without(13), 13],
    ['a missing summary part', without(3), 3],
    ['a summary part that is never done', without(6), 6],
    ['arguments that are done without a name', replace(17, '"name":"look",', ''), 17],
    ['arguments that are never done', without(17), 17],
    ['a delta of a custom call for a function', replace(16, 'function_call_arguments', 'custom_tool_call_input'), 16],
    ['an input that is never done', without(21), 21],
    ['a search with deltas', insert(24, content('function_call_arguments.delta', { item_id: 'tsc_1_4', output_index: 4 }, { delta: '{}' })), 24],
    ['a missing output_item.done', without(14), 14],
    ['a done item with another id', replace(14, 'msg_1_1', 'msg_1_9'), 14],
    ['a done item with other content', replace(14, '"ab"', '"abc"'), 14],
    ['a done item in progress', replace(14, 'completed', 'in_progress'), 14],
    ['a done call with another name', replace(18, 'look', 'see'), 18],
    ['a done call without its namespace', replace(18, '"namespace":"group",', ''), 18],
    ['a call without arguments', (frames) => frames.toSpliced(16, 1).map((frame) => frame.replaceAll('"arguments":"{}"', '"arguments":""')), 17],
    ['a missing item in the last event', edit(LAST, (frame) => frame.replace(`${JSON.stringify(REASONING)},`, '')), LAST],
    ['another item in the last event', replace(LAST, '"ab"', '"abc"'), LAST],
    ['a last event before its item is done', without(24), 24],
    ['an incomplete item in a completed response', (frames) => frames.map((frame) => frame.replace(JSON.stringify(SEARCH), JSON.stringify({ ...SEARCH, status: 'incomplete' }))), LAST],
    ['a completed response without a time', replace(LAST, '"completed_at":2', '"completed_at":null'), LAST],
    ['a status that is not the event', replace(LAST, '"status":"completed","error"', '"status":"failed","error"'), LAST],
    ['an end without usage', edit(LAST, (frame) => frame.replace(`,"usage":${JSON.stringify(USAGE)}`, '')), LAST],
    ['usage without cache_write_tokens', replace(LAST, ',"cache_write_tokens":1', ''), LAST],
    ['usage without a total', replace(LAST, '"total_tokens":5,', ''), LAST],
    ['counts that do not add up', replace(LAST, '"total_tokens":5', '"total_tokens":6'), LAST],
    ['a bill without a balance', replace(LAST, '"svc_balance_tokens":"10",', ''), LAST],
    ['an amount that is a number', replace(LAST, '"1.5"', '1.5'), LAST],
    ['a missing last event', without(LAST), LAST],
    ['an error alone', failing(11, ERROR), 12],
    ['response.failed alone', failing(11, FAILED), 11],
    ['a delta after an error', failing(11, ERROR, UNNUMBERED[11] ?? ''), 12],
    ['an error without a code', failing(11, ERROR.replace('"code":"c","message"', '"message"'), FAILED), 11],
    ['an error that is flat only', failing(11, ERROR.replace(/,"error":\{[^}]*\}/, ''), FAILED), 11],
    ['an error that says two things', failing(11, ERROR.replace('"message":"No."', '"message":"Yes."'), FAILED), 11],
    ['a failure with a code that no client knows', failing(11, ERROR, FAILED.replace('server_error', 'tired')), 12],
    ['a failure with output', failing(11, ERROR, FAILED.replace('"output":[]', `"output":[${JSON.stringify(REASONING)}]`)), 12],
    ['an incomplete response without a reason', () => CUT_OFF.map((frame) => frame.replace('{"reason":"max_output_tokens"}', 'null')), 15],
    ['an incomplete response whose last item is completed', () => CUT_OFF.map((frame, index) => (index > 13 ? frame.replaceAll('"incomplete","content"', '"completed","content"').replaceAll('"status":"incomplete","role"', '"status":"completed","role"').replace('"role":"assistant","status":"incomplete"', '"role":"assistant","status":"completed"') : frame)), 15],
  ])('rejects %s', (_, change, frame) => {
    expect(change(UNNUMBERED)).not.toEqual(UNNUMBERED);
    expect(breachOf(checkResponsesStream, numbered(change(UNNUMBERED)).join(''))).toBe(frame);
  });
});
