import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import type { ScriptedReply } from '../scripted-upstream/scripted-reply.js';
import { chatCompletion } from '../scripted-upstream/chat-reply.js';
import { messagesReply } from '../scripted-upstream/messages-reply.js';
import { responsesReply } from '../scripted-upstream/responses-reply.js';
import { objectOf, objectsOf, textOf } from './vendor-rules.js';
import { StrictVendor, type VendorFormat } from './strict-vendor.js';

const REPLY: ScriptedReply = {
  reasoning: 'Look first.', text: 'I look.', laterReasoning: { text: 'Twice.' },
  toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"at":"a"}' }, { id: 'call_2', name: 'look', arguments: '{"at":"b"}' }],
};
const LONG = 'n'.repeat(65);

/** A rule, a change that makes a valid request break it, and the vendor's message. */
type Row = readonly [rule: string, change: (good: JsonObject) => JsonObject, words: RegExp];

type List = readonly JsonObject[];

function listed(field: string, change: (list: List) => List): Row[1] {
  return (good) => ({ ...good, [field]: change(objectsOf(good[field])) });
}

/** Changes one member of a list. A negative position counts from the end. */
function at(position: number, change: (member: JsonObject) => JsonObject): (list: List) => List {
  return (list) => list.with(position, change(list.at(position) ?? {}));
}

function inContent(change: (blocks: List) => List): (message: JsonObject) => JsonObject {
  return (message) => ({ ...message, content: change(objectsOf(message['content'])) });
}

function without(...names: readonly string[]): (value: JsonObject) => JsonObject {
  return (value) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** The rules that the vendor does not enforce with the expected words. `good` is among them if the vendor refuses the valid request. */
function unenforced(format: VendorFormat, good: (vendor: StrictVendor) => JsonObject, rows: readonly Row[]): readonly string[] {
  const vendor = new StrictVendor(format);
  const request = good(vendor);
  const failed = rows.flatMap(([rule, change, words]) => {
    const message = textOf(objectOf(vendor.refusalOf(change(request))?.['error'])['message']);
    return words.test(message) ? [] : [`${rule}: ${message}`];
  });
  return vendor.refusalOf(request) === null ? failed : ['good', ...failed];
}

const message = (change: (message: JsonObject) => JsonObject, position: number): Row[1] => listed('messages', at(position, change));
const block = (change: (block: JsonObject) => JsonObject, position: number): Row[1] => message(inContent(at(position, change)), 1);
const blocks = (change: (list: List) => List): Row[1] => message(inContent(change), 1);
const results = (change: (list: List) => List): Row[1] => message(inContent(change), 2);

/** A request with a turn of interleaved thinking and two calls, and with their results. */
function goodMessages(vendor: StrictVendor): JsonObject {
  return {
    model: 'm', max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 1024 }, system: [{ type: 'text', text: 'Be kind.' }],
    tools: [{ name: 'n'.repeat(128), input_schema: {} }, { name: 'look', input_schema: {} }], tool_choice: { type: 'auto' },
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: objectsOf(messagesReply(vendor.sealed(REPLY), 'm')['content']) },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_2', content: 'b' }, { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'a' }] }] },
    ],
  };
}

const MODIFIED = /blocks in the latest assistant message cannot be modified/;
const UNANSWERED = /`tool_use` ids were found without `tool_result` blocks immediately after: call_1/;
const off = (good: JsonObject): JsonObject => ({ ...good, thinking: { type: 'disabled' } });
const asPrefill = (text: string): Row[1] => (good) => ({ ...off(good), messages: [{ role: 'user', content: 'Say it.' }, { role: 'assistant', content: text }] });

const MESSAGES_ROWS: readonly Row[] = [
  ['an unknown field', (good) => ({ ...good, reasoning_effort: 'low' }), /^reasoning_effort: Extra inputs/],
  ['no maximum', without('max_tokens'), /^max_tokens: Field required/],
  ['a small budget', (good) => ({ ...good, thinking: { type: 'enabled', budget_tokens: 1000 } }), /greater than or equal to 1024/],
  ['a maximum that the budget fills', (good) => ({ ...good, max_tokens: 1024 }), /must be greater than `thinking.budget_tokens`/],
  ['a temperature with thinking', (good) => ({ ...good, temperature: 0.5 }), /^`temperature` may only be set to 1/],
  ['top_k with thinking', (good) => ({ ...good, top_k: 5 }), /^`top_k` must be unset/],
  ['a forced tool with thinking', (good) => ({ ...good, tool_choice: { type: 'any' } }), /^Thinking may not be enabled when tool_choice/],
  ['a tool name of 129 characters', listed('tools', at(0, (tool) => ({ ...tool, name: 'n'.repeat(129) }))), /^tools\.0\.custom\.name: String should match pattern/],
  ['a tool name with a dot', listed('tools', at(1, (tool) => ({ ...tool, name: 'a.b' }))), /^tools\.1\.custom\.name/],
  ['two tools of one name', listed('tools', (tools) => [...tools, ...tools.slice(1)]), /^tools: Tool names must be unique/],
  ['a choice without tools', (good) => ({ ...good, tools: [] }), /^tool_choice may only be specified while providing tools/],
  ['a choice of no tool', (good) => ({ ...off(good), tool_choice: { type: 'tool', name: 'none' } }), /^tool_choice: Tool 'none' not found/],
  ['an empty instruction', (good) => ({ ...good, system: [{ type: 'text', text: '' }] }), /^system: text content blocks must be non-empty/],
  ['no messages', (good) => ({ ...good, messages: [] }), /^messages: at least one message/],
  ['a model that begins', listed('messages', (list) => list.slice(1)), /^messages: first message must use the "user" role/],
  ['another role', message((one) => ({ ...one, role: 'tool' }), 2), /^messages\.2\.role/],
  ['an empty message', message((one) => ({ ...one, content: [] }), 0), /^messages\.0: all messages must have non-empty content/],
  ['an empty text', block((one) => ({ ...one, text: '' }), 1), /text content blocks must be non-empty/],
  ['a blank text', block((one) => ({ ...one, text: ' \n' }), 1), /must contain non-whitespace text/],
  ['a last text that ends in white space', asPrefill('It is \n'), /^messages: final assistant content cannot end with trailing whitespace/],
  ['a field of another vendor on a call', block((one) => ({ ...one, extra_content: {} }), 3), /^messages\.1\.content\.3\.tool_use\.extra_content: Extra inputs/],
  ['a block of another vendor', block(() => ({ type: 'reasoning' }), 1), /Input tag 'reasoning' found/],
  ['thinking without a signature', block(without('signature'), 0), /thinking\.signature: Field required/],
  ['changed thinking', block((one) => ({ ...one, thinking: 'Look.' }), 0), /^messages\.1\.content\.0: Invalid `signature` in `thinking` block/],
  ['another server\'s signature', block((one) => ({ ...one, signature: 'signed.elsewhere' }), 0), /Invalid `signature`/],
  ['redacted thinking of another server', block(() => ({ type: 'redacted_thinking', data: 'elsewhere' }), 0), /Invalid `data` in `redacted_thinking`/],
  ['thinking in another order', blocks(([a, b, c, ...rest]) => [c, b, a, ...rest] as List), MODIFIED],
  ['thinking moved over the text', blocks(([a, b, c, ...rest]) => [a, c, b, ...rest] as List), MODIFIED],
  ['a part of the thinking', blocks((list) => list.toSpliced(2, 1)), MODIFIED],
  ['no thinking at first', blocks((list) => list.slice(1)), /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`/],
  ['a message that ends with thinking', listed('messages', ([first, second]) => [first ?? {}, inContent((list) => list.slice(0, 1))(second ?? {})]), /cannot be `thinking`/],
  ['an id with a dot', block((one) => ({ ...one, id: 'call.1' }), 3), /tool_use\.id: String should match pattern/],
  ['a call with a dot in its name', block((one) => ({ ...one, name: 'a.b' }), 3), /tool_use\.name/],
  ['two calls of one id', block((one) => ({ ...one, id: 'call_2' }), 3), /^messages: `tool_use` ids must be unique/],
  ['a call without its result', results((list) => list.slice(0, 1)), UNANSWERED],
  ['a text before the results', results((list) => [{ type: 'text', text: 'Here.' }, ...list]), UNANSWERED],
  ['results in a later message', listed('messages', ([a, b, c]) => [a, b, { role: 'user', content: 'Wait.' }, { role: 'assistant', content: 'I wait.' }, c] as List), UNANSWERED],
  ['a result of no call', results((list) => [...list, { type: 'tool_result', tool_use_id: 'call_9', content: 'c' }]), /unexpected `tool_use_id` found in `tool_result` blocks: call_9/],
  ['two results of one call', results((list) => [...list, ...list.slice(0, 1)]), /each tool_use must have a single result/],
  ['a failure without words', results(at(0, (one) => ({ ...one, content: '', is_error: true }))), /content cannot be empty if `is_error` is true/],
];

const CHAT_CALLS = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

function goodChat(format: 'chat' | 'signed-chat'): (vendor: StrictVendor) => JsonObject {
  return (vendor) => ({
    model: 'm', max_completion_tokens: 100, tools: [{ type: 'function', function: { name: 'look' } }, { type: 'function', function: { name: 'n'.repeat(64) } }],
    tool_choice: { type: 'function', function: { name: 'look' } },
    messages: [
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      format === 'chat'
        ? { role: 'assistant', content: null, tool_calls: [CHAT_CALLS, { ...CHAT_CALLS, id: 'call_2' }] }
        : objectOf(objectsOf(chatCompletion(vendor.sealed(REPLY), 'm')['choices'])[0]?.['message']),
      { role: 'tool', tool_call_id: 'call_2', content: 'b' }, { role: 'tool', tool_call_id: 'call_1', content: 'a' },
    ],
  });
}

const call = (change: (one: JsonObject) => JsonObject): Row[1] => message((one) => ({ ...one, tool_calls: at(0, change)(objectsOf(one['tool_calls'])) }), 2);
const UNANSWERED_CHAT = /did not have response messages: call_/;
const NO_CALL = /role 'tool' must be a response to a preceeding message/;

const CHAT_ROWS: readonly Row[] = [
  ['an unknown field', (good) => ({ ...good, thinking: {} }), /^Unrecognized request argument supplied: thinking/],
  ['two maximums', (good) => ({ ...good, max_tokens: 5 }), /at the same time is not supported/],
  ['options of a stream that is none', (good) => ({ ...good, stream_options: {} }), /only allowed when 'stream' is enabled/],
  ['five stop sequences', (good) => ({ ...good, stop: ['a', 'b', 'c', 'd', 'e'] }), /^Invalid 'stop': array too long/],
  ['no messages', (good) => ({ ...good, messages: [] }), /^Invalid 'messages': empty array/],
  ['another role', message((one) => ({ ...one, role: 'critic' }), 0), /^Invalid value: 'critic'. Supported values/],
  ['an empty list of parts', message((one) => ({ ...one, content: [] }), 1), /^Invalid 'messages\[1\]\.content': empty array/],
  ['nothing said', message((one) => ({ ...one, content: null }), 1), /expected a string, got null/],
  ['an image of the model', message((one) => ({ ...one, content: [{ type: 'image_url' }] }), 2), /^Invalid value: 'image_url'/],
  ['a list of no calls', message(() => ({ role: 'assistant', content: 'a', tool_calls: [] }), 1), /tool_calls': empty array/],
  ['a tool name of 65 characters', listed('tools', at(1, () => ({ type: 'function', function: { name: LONG } }))), /^Invalid 'tools\[1\]\.function\.name': string too long/],
  ['a tool name with a dot', listed('tools', at(1, () => ({ type: 'function', function: { name: 'a.b' } }))), /string does not match pattern/],
  ['a call with a name of 65 characters', call((one) => ({ ...one, function: { name: LONG } })), /tool_calls\[0\]\.function\.name': string too long/],
  ['an id of 41 characters', call((one) => ({ ...one, id: 'i'.repeat(41) })), /tool_calls\[0\]\.id': string too long/],
  ['a list of no tools', (good) => ({ ...good, tools: [] }), /^Invalid 'tools': empty array/],
  ['a choice without tools', without('tools'), /^'tool_choice' is only allowed when 'tools' are specified/],
  ['parallel calls without tools', (good) => ({ ...without('tools', 'tool_choice')(good), parallel_tool_calls: true }), /^'parallel_tool_calls' is only allowed/],
  ['a choice of no tool', (good) => ({ ...good, tool_choice: { type: 'function', function: { name: 'none' } } }), /^Tool choice 'none' not found/],
  ['a call without its answer', listed('messages', (list) => list.slice(0, -1)), UNANSWERED_CHAT],
  ['a message before the answers', listed('messages', (list) => list.toSpliced(3, 0, { role: 'user', content: 'Wait.' })), UNANSWERED_CHAT],
  ['an answer to no call', listed('messages', (list) => [...list, { role: 'tool', tool_call_id: 'call_9', content: 'c' }]), NO_CALL],
  ['two answers to one call', listed('messages', (list) => [...list, list.at(-1) ?? {}]), NO_CALL],
];

const SIGNED_ROWS: readonly Row[] = [
  ...CHAT_ROWS,
  ['a first call without its signature', call(without('extra_content')), /missing a thought_signature in functionCall parts.*default_api:look` , position 3/],
  ['a signature of another call', call((one) => ({ ...one, function: { name: 'n'.repeat(64), arguments: '{}' } })), /^Thought signature is not valid/],
];

function goodResponses(vendor: StrictVendor): JsonObject {
  return {
    model: 'm', store: false, max_output_tokens: 16, tools: [{ type: 'function', name: 'look' }, { type: 'function', name: 'n'.repeat(64) }], tool_choice: { type: 'function', name: 'look' },
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] }, ...objectsOf(responsesReply(vendor.sealed(REPLY), 'm')['output']),
      { type: 'function_call_output', call_id: 'call_1', output: 'a' }, { type: 'function_call_output', call_id: 'call_2', output: 'b' }, { role: 'user', content: 'And?' },
    ],
  };
}

const item = (change: (one: JsonObject) => JsonObject, position: number): Row[1] => listed('input', at(position, change));
const items = (change: (list: List) => List): Row[1] => listed('input', change);
const NOT_FOLLOWED = /^Item 'rs_[12]' of type 'reasoning' was provided without its required following item/;

const RESPONSES_ROWS: readonly Row[] = [
  ['an unknown field', (good) => ({ ...good, thinking: {} }), /^Unknown parameter: 'thinking'/],
  ['to be kept', without('store'), /^Store must be set to false/],
  ['a maximum of 15', (good) => ({ ...good, max_output_tokens: 15 }), /integer below minimum value/],
  ['a tool name of 65 characters', listed('tools', at(1, (tool) => ({ ...tool, name: LONG }))), /^Invalid 'tools\[1\]\.name': string too long/],
  ['a choice of no tool', (good) => ({ ...good, tool_choice: { type: 'function', name: 'none' } }), /^Tool choice 'none' not found/],
  ['another item', item((one) => ({ ...one, type: 'tool_use' }), 0), /^Invalid value: 'tool_use'/],
  ['another role', item((one) => ({ ...one, role: 'tool' }), 0), /^Invalid value: 'tool'. Supported values/],
  ['an input part of the model', item((one) => ({ ...one, content: [{ type: 'input_text', text: 'I look.' }] }), 2), /Supported values are: 'output_text', 'refusal'/],
  ['an id of another kind of item', item((one) => ({ ...one, id: 'call_1' }), 4), /Expected an ID that begins with 'fc'/],
  ['a call id of 65 characters', item((one) => ({ ...one, call_id: LONG }), 4), /call_id': string too long/],
  ['a call with a dot in its name', item((one) => ({ ...one, name: 'a.b' }), 4), /string does not match pattern/],
  ['a call without its output', items((list) => list.toSpliced(7, 1)), /^No tool output found for function call call_2/],
  ['an output without its call', items((list) => list.toSpliced(5, 1)), /^No tool call found for function call output with call_id call_2/],
  ['reasoning that is kept nowhere', item(without('encrypted_content'), 1), /^Item with id 'rs_1' not found/],
  ['reasoning of another server', item((one) => ({ ...one, encrypted_content: 'elsewhere' }), 1), /could not be verified/],
  ['reasoning without what it led to', items((list) => list.toSpliced(2, 1)), NOT_FOLLOWED],
  ['reasoning before another call', items((list) => list.toSpliced(4, 1).toSpliced(5, 1)), NOT_FOLLOWED],
  ['reasoning at the end', items((list) => [...list, list[1] ?? {}]), NOT_FOLLOWED],
];

describe('a strict vendor', () => {
  it('refuses, in the messages format, what the real vendor refuses, and with the same error messages', () => {
    expect(unenforced('messages', goodMessages, MESSAGES_ROWS)).toEqual([]);
  });

  it('refuses, in the chat format, what the real vendor refuses, and with the same error messages', () => {
    expect(unenforced('chat', goodChat('chat'), CHAT_ROWS)).toEqual([]);
  });

  it('refuses a tool call that is sent back without its signature, unless it has the documented placeholder', () => {
    expect(unenforced('signed-chat', goodChat('signed-chat'), SIGNED_ROWS)).toEqual([]);
    const vendor = new StrictVendor('signed-chat');
    const replaced = call((one) => ({ ...one, extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }));
    expect(vendor.refusalOf(replaced(goodChat('signed-chat')(vendor)))).toBeNull();
  });

  it('refuses, in the responses format, what the real vendor refuses, and with the same error messages', () => {
    expect(unenforced('responses', goodResponses, RESPONSES_ROWS)).toEqual([]);
  });

  it('accepts a request that omits the thinking of earlier turns', () => {
    const vendor = new StrictVendor('messages');
    const unthought = blocks((list) => list.filter(({ type }) => type !== 'thinking'))(goodMessages(vendor));
    const messages = [...objectsOf(unthought['messages']), { role: 'assistant', content: 'Seen.' }, { role: 'user', content: 'And now?' }];
    expect(vendor.refusalOf({ ...unthought, messages })).toBeNull();
  });
});
