import { describe, expect, it } from '@jest/globals';
import { NO_PROMPT_PARTS, type JsonObject } from '@tollgate/core';
import { chatChunk, chatChunks, chatCompletion, type ScriptedReply } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { piecesOf, readPieces, type ReadReply, readWhole } from '../test-support/calls.js';
import { BlockWriter } from '../reply/block-writer.js';
import { ChatReplyAssembler } from './chat-reply-assembler.js';

const terms = () => {
  let count = 0;
  return { newToolCallId: () => `made_${(count += 1)}`, localStopSequences: [] as readonly string[], modelReasons: false };
};
const framed = (chunks: readonly JsonObject[]): string => [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

function read(pieces: readonly Uint8Array[], localStopSequences: readonly string[] = []): ReadReply {
  return readPieces((writer) => new ChatReplyAssembler(writer, { ...terms(), localStopSequences }), pieces);
}

/** Feeds each chunk to the assembler in a read of its own. */
function readChunks(chunks: readonly JsonObject[]): ReadReply {
  return read(chunks.map((chunk) => Buffer.from(framed([chunk]).replace('data: [DONE]\n\n', ''))));
}

function readBody(body: string): ReadReply {
  return readWhole((writer) => new ChatReplyAssembler(writer, terms()), body);
}

const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => chatChunk('m', delta, finishReason);
const fragment = (index: number, name: string | null, ...rest: readonly [text: string, id?: string]): JsonObject => {
  const [text, id] = rest;
  return { index, ...(id === undefined ? {} : { id }), function: { ...(name === null ? {} : { name }), arguments: text } };
};
const calls = (...fragments: readonly JsonObject[]): JsonObject => chunk({ tool_calls: fragments });
const stop = chunk({}, 'stop');
const toolCall = (id: string, name: string, argumentsJson: string) => ({ type: 'tool-call', id, name, argumentsJson }) as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;
const refusal = (words: string) => ({ type: 'text', text: words, isRefusal: true }) as const;
const thinking = (words: string) => ({ type: 'thinking', text: words, signature: null }) as const;

describe('a streamed chat reply', () => {
  it('states the tokens of its prompt only with its whole usage, so that implausible usage is not partly charged', () => {
    const assembler = new ChatReplyAssembler(new BlockWriter(), terms());
    assembler.read({ choices: [], usage: { prompt_tokens: 2000, completion_tokens: 2, total_tokens: 7 } });
    expect(assembler.statedPrompt).toBeNull();
  });

  it.each<[string, readonly JsonObject[], ReadReply['blocks']]>([
    ['reasoning, text and a call in one delta, in this order',
      [chunk({ tool_calls: [fragment(0, 'f', '{}', 'c1')], content: 'b', reasoning_content: 'a' }, 'tool_calls')], [thinking('a'), text('b'), toolCall('c1', 'f', '{}')]],
    ['reasoning by its other name', [chunk({ reasoning: 'a' }), stop], [thinking('a')]],
    ['a first chunk with text and finish', [chunk({ role: 'assistant', content: 'a' }, 'stop')], [text('a')]],
    ['empty texts, which open no block', [chunk({ content: '', reasoning_content: '' }), chunk({ content: null }), stop], []],
    ['white space, which opens a block', [chunk({ content: '\n\n' }), chunk({ content: 'a' }), stop], [text('\n\na')]],
    ['text in parts', [chunk({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }), stop], [text('ab')]],
    ['reasoning by one name if the other is empty', [chunk({ reasoning_content: '', reasoning: 'a' }), chunk({ reasoning_content: 'b', reasoning: '' }), stop], [thinking('ab')]],
    ['reasoning that is an object', [chunk({ reasoning_content: { text: 'a' } }), chunk({ reasoning_content: { signature: 'x' } }), chunk({ content: 'b' }), stop], [thinking('a'), text('b')]],
    ['reasoning among the parts of the content, as Mistral sends it', [chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] }),
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'b' }, { type: 'reference', reference_ids: [1] }] }, { type: 'text', text: 'c' }] }), chunk({ content: 'd' }), stop], [thinking('ab'), text('cd')]],
    ['reasoning among the parts of the content, as Databricks sends it', [chunk({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a', signature: 'x' }] }, { type: 'text', text: 'b' }] }), stop],
      [thinking('a'), text('b')]],
    ['a refusal among the parts of the content', [chunk({ content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'No.' }] }), stop], [text('a'), refusal('No.')]],
    ['text and reasoning that take turns', [chunk({ content: 'a' }), chunk({ reasoning: 'b' }), chunk({ content: 'c' }), stop], [text('a'), thinking('b'), text('c')]],
    ['calls that interleave, one after the other',
      [calls(fragment(0, 'f', '', 'c1')), calls(fragment(1, 'g', '', 'c2')), calls(fragment(0, null, '{"a"')), calls(fragment(1, null, '{"b"'), fragment(0, null, ':1}')), calls(fragment(1, null, ':2}')), stop],
      [toolCall('c1', 'f', '{"a":1}'), toolCall('c2', 'g', '{"b":2}')]],
    ['a name that comes late', [calls(fragment(0, null, '{"a"', 'c1')), calls(fragment(0, 'f', ':1}')), stop], [toolCall('c1', 'f', '{"a":1}')]],
    ['an id repeated in every fragment', [calls(fragment(0, 'f', '{', 'c1')), calls(fragment(0, 'f', '}', 'c1')), stop], [toolCall('c1', 'f', '{}')]],
    ['another id under the same index, which is another call', [calls(fragment(0, 'f', '{}', 'c1')), calls(fragment(0, 'f', '{}', 'c2')), stop], [toolCall('c1', 'f', '{}'), toolCall('c2', 'f', '{}')]],
    ['whole calls without ids under one index', [calls(fragment(0, 'f', '{"a":"}"}')), calls(fragment(0, 'g', '{"b":2}')), calls(fragment(0, 'g', '{"b":3}')), stop],
      [toolCall('made_1', 'f', '{"a":"}"}'), toolCall('made_2', 'g', '{"b":2}'), toolCall('made_3', 'g', '{"b":3}')]],
    ['whole calls with equal ids under one index', [calls(fragment(0, 'f', '{}', 'c1'), fragment(0, 'g', '{"a":1}', 'c1')), stop], [toolCall('c1', 'f', '{}'), toolCall('made_1', 'g', '{"a":1}')]],
    ['calls in fragments without ids under one index', [calls(fragment(0, 'f', '')), calls(fragment(0, null, '{}')), calls(fragment(0, 'g', '')), calls(fragment(0, null, '{"a":1}')), stop],
      [toolCall('made_1', 'f', '{}'), toolCall('made_2', 'g', '{"a":1}')]],
    ['calls with equal ids, the second of which gets another', [calls(fragment(0, 'f', '', 'c1')), calls(fragment(0, null, '{}', 'c1')), calls(fragment(1, 'f', '', 'c1')), calls(fragment(1, null, '{"a":1}', 'c1')), stop],
      [toolCall('c1', 'f', '{}'), toolCall('made_1', 'f', '{"a":1}')]],
    ['an id of its own with each fragment', [calls(fragment(0, 'f', '', 'x')), calls(fragment(0, null, '{"a"', 'y')), calls(fragment(0, null, ':1}', 'z')), stop], [toolCall('x', 'f', '{"a":1}')]],
    ['an id of its own with each fragment, also with an empty last one', [calls(fragment(0, 'f', '', 'x')), calls(fragment(0, null, '{"a":1}', 'y')), calls(fragment(0, null, '', 'z')), stop], [toolCall('x', 'f', '{"a":1}')]],
    ['a name and whole arguments repeated without an id', [calls(fragment(0, 'f', '{"a":1}')), calls(fragment(0, 'f', '{"a":1}')), calls(fragment(0, 'f', '')), stop], [toolCall('made_1', 'f', '{"a":1}')]],
    ['a name repeated with white space after whole arguments', [calls(fragment(0, 'f', '{"a":1}', 'c1')), calls(fragment(0, 'f', '\n', 'c1')), stop], [toolCall('c1', 'f', '{"a":1}\n')]],
    ['a name repeated in every fragment', [calls(fragment(0, 'f', '{"a":')), calls(fragment(0, 'f', '{}')), calls(fragment(0, 'f', '}')), stop], [toolCall('made_1', 'f', '{"a":{}}')]],
    ['a call outside a list', [chunk({ tool_calls: fragment(0, 'f', '{"a"', '') }), chunk({ tool_calls: fragment(0, null, ':1}', '') }), stop], [toolCall('made_1', 'f', '{"a":1}')]],
    ['calls without ids, which get new ones', [calls(fragment(0, 'f', '{}'), fragment(1, 'g', '{}')), stop], [toolCall('made_1', 'f', '{}'), toolCall('made_2', 'g', '{}')]],
    ['an id that comes after its call began', [calls(fragment(0, 'f', '{')), calls(fragment(0, null, '}', 'c1')), stop], [toolCall('made_1', 'f', '{}')]],
    ['calls without an index', [calls({ id: 'c1', function: { name: 'f', arguments: '{}' } }, { id: 'c2', function: { name: 'g', arguments: '{}' } }), stop],
      [toolCall('c1', 'f', '{}'), toolCall('c2', 'g', '{}')]],
    ['arguments repeated from their beginning', [calls(fragment(0, 'f', '{"a"', 'c1')), calls(fragment(0, null, '{"a":1}')), calls(fragment(0, null, '{"a":1}')), stop], [toolCall('c1', 'f', '{"a":1}')]],
    ['arguments repeated from their beginning, and an empty fragment', [calls(fragment(0, 'f', '{"a"', 'c1')), calls(fragment(0, null, '{"a":1}')), calls(fragment(0, null, '')), stop], [toolCall('c1', 'f', '{"a":1}')]],
    ['arguments repeated whole', [calls(fragment(0, 'f', '{"a":1}', 'c1')), calls(fragment(0, null, '{"a":1}')), stop], [toolCall('c1', 'f', '{"a":1}')]],
    ['arguments repeated from their beginning, cut before a value', [calls(fragment(0, 'f', '{"a":', 'c1')), calls(fragment(0, null, '{"a":"b')), calls(fragment(0, null, '{"a":"bc"}')), stop], [toolCall('c1', 'f', '{"a":"bc"}')]],
    ['arguments that hold their own beginning', [calls(fragment(0, 'f', '{"a":', 'c1')), calls(fragment(0, null, '{"a":1}}')), stop], [toolCall('c1', 'f', '{"a":{"a":1}}')]],
    ['arguments that hold their own beginning twice', [calls(fragment(0, 'f', '{"a":', 'c1')), calls(fragment(0, null, '{"a":')), calls(fragment(0, null, '{"a":1}')), calls(fragment(0, null, '}}')), stop], [toolCall('c1', 'f', '{"a":{"a":{"a":1}}}')]],
    ['arguments that hold their own beginning, and go on', [calls(fragment(0, 'f', '{"a":', 'c1')), calls(fragment(0, null, '{"a":')), calls(fragment(0, null, '1}}')), stop], [toolCall('c1', 'f', '{"a":{"a":1}}')]],
    ['a key that equals the beginning of its arguments', [calls(fragment(0, 'f', '{"', 'c1')), calls(fragment(0, null, '{":1}')), stop], [toolCall('c1', 'f', '{"{":1}')]],
    ['a list of objects that begin like the arguments', [calls(fragment(0, 'f', '{"a":[', 'c1')), calls(fragment(0, null, '{"a":[1]},')), calls(fragment(0, null, '{"a":[2]}]}')), stop], [toolCall('c1', 'f', '{"a":[{"a":[1]},{"a":[2]}]}')]],
    ['arguments that are no object, which are not repeated', [calls(fragment(0, 'f', '1', 'c1')), calls(fragment(0, null, '1')), stop], [toolCall('c1', 'f', '11')]],
    ['a list that holds its own beginning', [calls(fragment(0, 'f', '{"a":[', 'c1')), calls(fragment(0, null, '{"a":[]},')), calls(fragment(0, null, '{"b":1}]}')), stop], [toolCall('c1', 'f', '{"a":[{"a":[]},{"b":1}]}')]],
    ['arguments repeated from their beginning and then cut off', [calls(fragment(0, 'f', '{"a":"b', 'c1')), calls(fragment(0, null, '{"a":"bc')), stop], [toolCall('c1', 'f', '{"a":"bc')]],
    ['arguments cut off whose first fragment is a brace', [calls(fragment(0, 'f', '{', 'c1')), calls(fragment(0, null, '"a":"b')), stop], [toolCall('c1', 'f', '{"a":"b')]],
    ['arguments that hold their own beginning and are cut off', [calls(fragment(0, 'f', '{"a":', 'c1')), calls(fragment(0, null, '{"a":1')), stop], [toolCall('c1', 'f', '{"a":{"a":1')]],
    ['arguments as an object', [calls({ index: 0, id: 'c1', function: { name: 'f', arguments: { a: 1 } } }), stop], [toolCall('c1', 'f', '{"a":1}')]],
    ['a call without arguments', [calls({ index: 0, id: 'c1', function: { name: 'f' } }), stop], [toolCall('c1', 'f', '')]],
    ['white space after a call, which is dropped', [calls(fragment(0, 'f', '{}', 'c1')), chunk({ content: '\n' }), chunk({ content: ' ' }), stop], [toolCall('c1', 'f', '{}')]],
    ['text after a call, which is kept', [calls(fragment(0, 'f', '{', 'c1')), chunk({ content: '\n' }), chunk({ content: 'a' }), calls(fragment(0, null, '}')), stop], [toolCall('c1', 'f', '{}'), text('\na')]],
    ['a refusal', [chunk({ content: null, refusal: 'N' }), chunk({ refusal: 'o.' }), chunk({ refusal: '' }), stop], [refusal('No.')]],
    ['a refusal after text', [chunk({ content: 'Hm. ', refusal: null }), chunk({ refusal: 'No.' }), stop], [text('Hm. '), refusal('No.')]],
    ['a refusal after a call', [calls(fragment(0, 'f', '{}', 'c1')), chunk({ refusal: 'No.' }), stop], [toolCall('c1', 'f', '{}'), refusal('No.')]],
    ['chunks without choices and other choices than the first', [{ choices: [] }, {}, chunk({ content: 'a' }), stop], [text('a')]],
  ])('reads %s', (_name, chunks, blocks) => {
    expect(readChunks(chunks).blocks).toEqual(blocks);
  });

  it.each<[string, readonly JsonObject[], string]>([
    ['stop', [chunk({ content: 'a' }, 'stop')], 'end'],
    ['stop with calls', [calls(fragment(0, 'f', '{}', 'c1')), stop], 'tool-call'],
    ['tool_calls without calls', [chunk({ content: 'a' }, 'tool_calls')], 'end'],
    ['function_call with calls', [calls(fragment(0, 'f', '{}', 'c1')), chunk({}, 'function_call')], 'tool-call'],
    ['length', [chunk({}, 'length')], 'max-tokens'],
    ['length with calls', [calls(fragment(0, 'f', '{', 'c1')), chunk({}, 'length')], 'max-tokens'],
    ['content_filter', [chunk({}, 'content_filter')], 'content-filter'],
    ['insufficient_system_resource', [chunk({}, 'insufficient_system_resource')], 'capacity'],
    ['an unknown reason', [chunk({}, 'constructor')], 'max-tokens'],
    ['an unknown reason with calls', [calls(fragment(0, 'f', '{}', 'c1')), chunk({}, 'language')], 'max-tokens'],
    ['an empty reason with each chunk', [{ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: '' }] }, chunk({}, 'length')], 'max-tokens'],
  ])('has the stop reason for the finish reason %s', (_name, chunks, stopReason) => {
    expect(readChunks(chunks).end?.stopReason).toBe(stopReason);
  });

  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
  const plain = { promptTokens: 10, ...NO_PROMPT_PARTS, outputTokens: 4, reasoningTokens: null, totalTokens: 14 };
  it.each<[string, readonly JsonObject[], ReadReply['end']]>([
    ['a later chunk', [stop, { choices: [], usage }], { stopReason: 'end', usage: plain }],
    ['the finish chunk', [{ ...stop, usage }], { stopReason: 'end', usage: plain }],
    ['every chunk, the last of which counts', [{ ...chunk({ content: 'a' }), usage: { ...usage, completion_tokens: 1 } }, { ...stop, usage }], { stopReason: 'end', usage: plain }],
    ['the choice, as Moonshot states it', [chunk({ content: 'a' }), { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }], usage: null }], { stopReason: 'end', usage: plain }],
    ['fields of Groq’s own', [chunk({ content: 'a' }), { ...stop, x_groq: { id: 'req_1', usage } }], { stopReason: 'end', usage: plain }],
    ['no chunk', [stop], { stopReason: 'end', usage: null }],
    ['a chunk that says null', [{ ...stop, usage: null }], { stopReason: 'end', usage: null }],
    ['a chunk without totals', [{ ...stop, usage: { prompt_tokens: 10 } }], { stopReason: 'end', usage: null }],
    ['OpenAI details', [{ ...stop, usage: { ...usage, prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 3 } } }],
      { stopReason: 'end', usage: { ...plain, cachedPromptTokens: 6, reasoningTokens: 3 } }],
    ['DeepSeek cache hits', [{ ...stop, usage: { ...usage, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 } }], { stopReason: 'end', usage: { ...plain, cachedPromptTokens: 6 } }],
    ['implausible figures, as they are', [{ ...stop, usage: { ...usage, completion_tokens: -1 } }], { stopReason: 'end', usage: { ...plain, outputTokens: -1 } }],
  ])('has its usage from %s', (_name, ...[chunks, end]) => {
    expect(readChunks(chunks).end).toEqual(end);
  });

  it.each<[string, string, string]>([
    ['it ends without a finish reason', framed([chunk({ content: 'a' })]), 'cut-off'],
    ['it says only that it is done', 'data: [DONE]\n\n', 'cut-off'],
    ['it is empty', '', 'cut-off'],
    ['an event is no JSON', 'data: {"a":\n\n', 'malformed-reply'],
    ['an event is no object', 'data: 5\n\n', 'malformed-reply'],
    ['a call has no name', framed([calls(fragment(0, null, '{}', 'c1')), stop]), 'malformed-reply'],
    ['an error comes in the middle', framed([chunk({ content: 'a' }), { error: { message: 'out of memory' } }]), 'server-error'],
    ['an error comes as text', framed([{ error: 'overloaded' }]), 'server-error'],
    ['an error comes instead of a chunk', framed([{ object: 'error', message: 'no', code: 500 }]), 'server-error'],
    ['an error says that the prompt is too long', framed([{ error: { message: 'maximum context length is 8 tokens', code: 400 } }]), 'context-too-long'],
  ])('fails when %s', (_name, ...[frames, reason]) => {
    expect(() => read([Buffer.from(frames)])).toThrow(expect.objectContaining({ reason }));
  });

  it('does not fail if its error field is null', () => {
    expect(readChunks([{ ...chunk({ content: 'a' }), error: null }, stop]).blocks).toEqual([text('a')]);
  });

  it.each<[string, readonly string[], string]>([
    ['in one delta', ['a STOP b'], 'a '],
    ['across deltas', ['a ST', 'OP', ' b'], 'a '],
    ['its beginning alone cuts nothing', ['a ST', 'O'], 'a STO'],
  ])('ends only at a whole stop sequence that the server does not know: %s', (_name, ...[pieces, words]) => {
    const bytes = [...pieces.map((content) => chunk({ content })), stop].map((one) => Buffer.from(`data: ${JSON.stringify(one)}\n\n`));
    const reply = read(bytes, ['STOP']);
    expect(reply.blocks).toEqual([text(words)]);
    expect(reply.end).toEqual({ stopReason: 'end', usage: null });
  });

  const arbitraryText = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '"', ' ') }), { maxLength: 4 });
  const arbitraryReply: fc.Arbitrary<ScriptedReply> = fc.record({
    text: arbitraryText,
    reasoning: arbitraryText,
    reasoningField: fc.constantFrom('reasoning_content', 'reasoning'),
    toolCalls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), arguments: fc.constantFrom(['{"a"', ': "é"}'], ['{', '}'], '{}', '') }), { maxLength: 3 })
      .map((all) => all.map((call, index) => ({ ...call, id: `c${index}` }))),
    toolCallOrder: fc.constantFrom('sequential', 'interleaved'),
    finishReason: fc.constantFrom('stop', 'length', 'tool_calls'),
    usagePlace: fc.constantFrom('last-chunk', 'finish-chunk', 'nowhere'),
  });

  it('is read the same as a whole reply, however its bytes are split', () => {
    fc.assert(fc.property(arbitraryReply, fc.constantFrom('\n', '\r\n', '\r'), fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (...[reply, lineEnd, lengths]) => {
      const bytes = Buffer.from(framed(chatChunks(reply, 'm')).replaceAll('\n', lineEnd));
      const streamed = read(piecesOf(bytes, lengths));
      const whole = readBody(JSON.stringify(chatCompletion(reply, 'm')));
      expect({ blocks: streamed.blocks, end: streamed.end }).toEqual({ blocks: whole.blocks, end: whole.end });
    }), { numRuns: 300 });
  });

  it('is read in linear time if it has a call of 80,000 fragments', () => {
    const fragments = Array.from({ length: 80_000 }, () => `data: ${JSON.stringify(calls(fragment(0, null, 'x'.repeat(40))))}\n\n`);
    const first = `data: ${JSON.stringify(calls(fragment(0, 'f', '{"a":"', 'c1')))}\n\n`;
    const startedAt = process.cpuUsage();
    read([first, ...fragments, `data: ${JSON.stringify(stop)}\n\n`].map((frame) => Buffer.from(frame)));
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});

describe('a whole chat reply', () => {
  it.each<[string, string, string]>([
    ['is no JSON', '{"choices": [', 'malformed-reply'],
    ['is a page', '<html></html>', 'malformed-reply'],
    ['is a list', '[]', 'malformed-reply'],
    ['has no choices', '{}', 'cut-off'],
    ['is an error', '{"error":{"message":"no"}}', 'server-error'],
    ['does not say why it ended', JSON.stringify(chatCompletion({ text: 'a', finishReason: null }, 'm')), 'cut-off'],
  ])('fails when the body %s', (_name, ...[body, reason]) => {
    expect(() => readBody(body)).toThrow(expect.objectContaining({ reason }));
  });

  it('may begin with a byte order mark', () => {
    expect(readBody(`\ufeff${JSON.stringify(chatCompletion({ text: 'a' }, 'm'))}`).blocks).toEqual([text('a')]);
  });

  it('takes no text from lists within lists, however deep', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const body = `{"choices":[{"message":{"reasoning_content":${deep},"content":[{"type":"thinking","thinking":${deep}},{"type":"text","text":"a"}]},"finish_reason":"stop"}]}`;
    expect(readBody(body).blocks).toEqual([text('a')]);
  });

  it('ignores blank lines sent while the server works', () => {
    expect(readBody(`\n\n\n${JSON.stringify(chatCompletion({ text: 'a' }, 'm'))}`).blocks).toEqual([text('a')]);
  });

  it('keeps arguments verbatim if they arrive as an object', () => {
    const written = '{ "2": 1.0, "1": 12345678901234567890 }';
    const body = `{"choices":[{"message":{"tool_calls":[{"id":"c1","function":{"name":"f","arguments":${written}}}]},"finish_reason":"stop"}]}`;
    expect(readBody(body).blocks).toEqual([toolCall('c1', 'f', written)]);
  });
});
