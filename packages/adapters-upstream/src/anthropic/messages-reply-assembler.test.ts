import { describe, expect, it } from '@jest/globals';
import { NO_PROMPT_PARTS, type JsonObject } from '@tollgate/core';
import { framesOf, messagesEvents, messagesReply, type ScriptedReply } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { piecesOf, readPieces, type ReadReply, readWhole } from '../test-support/calls.js';
import { MessagesReplyAssembler } from './messages-reply-assembler.js';

const terms = () => {
  let count = 0;
  return { newToolCallId: () => `made_${(count += 1)}`, localStopSequences: [] as readonly string[], modelReasons: false };
};
const framed = (events: readonly JsonObject[]): string => framesOf(events, { done: 'missing' }).join('');

function read(pieces: readonly Uint8Array[], localStopSequences: readonly string[] = []): ReadReply {
  return readPieces((writer) => new MessagesReplyAssembler(writer, { ...terms(), localStopSequences }), pieces);
}

/** Feeds each event to the assembler in a read of its own. */
function readEvents(events: readonly JsonObject[], localStopSequences: readonly string[] = []): ReadReply {
  return read(events.map((event) => Buffer.from(framed([event]))), localStopSequences);
}

function readBody(body: string): ReadReply {
  return readWhole((writer) => new MessagesReplyAssembler(writer, terms()), body);
}

const start = { type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 10, output_tokens: 1 } } };
const open = (index: number, block: JsonObject): JsonObject => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, piece: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: piece });
const close = (index: number): JsonObject => ({ type: 'content_block_stop', index });
const ending = (reason: string | null, usage?: JsonObject): JsonObject => ({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, ...(usage === undefined ? {} : { usage }) });
const stop = { type: 'message_stop' };
const ended = [ending('end_turn', { output_tokens: 4 }), stop];
const opensText = (index: number): JsonObject => open(index, { type: 'text', text: '' });
const says = (index: number, text: string): JsonObject => delta(index, { type: 'text_delta', text });
const opensThinking = open(0, { type: 'thinking', thinking: '', signature: '' });
const thinks = (thinking: string): JsonObject => delta(0, { type: 'thinking_delta', thinking });
const signs = (signature: string): JsonObject => delta(0, { type: 'signature_delta', signature });
const calls = (index: number, differences: JsonObject = {}): JsonObject => open(index, { type: 'tool_use', id: `c${index}`, name: 'f', input: {}, ...differences });
const passes = (index: number, partial_json: string): JsonObject => delta(index, { type: 'input_json_delta', partial_json });

const text = (words: string) => ({ type: 'text', text: words }) as const;
const thinking = (words: string, signature: string | null) => ({ type: 'thinking', text: words, signature }) as const;
const toolCall = (id: string, argumentsJson: string) => ({ type: 'tool-call', id, name: 'f', argumentsJson }) as const;

describe('a streamed message', () => {
  it.each<[string, readonly JsonObject[], ReadReply['blocks']]>([
    ['thinking, text and calls', [
      start, { type: 'ping' }, opensThinking, thinks('H'), thinks('m'), signs('theirs'), close(0), opensText(1), says(1, 'a'), says(1, 'b'), close(1),
      calls(2), passes(2, ''), passes(2, '{"x"'), passes(2, ':1}'), close(2), calls(3), passes(3, '{}'), close(3), ...ended,
    ], [thinking('Hm', 'theirs'), text('ab'), toolCall('c2', '{"x":1}'), toolCall('c3', '{}')]],
    ['the last signature of several', [opensThinking, thinks('a'), signs('one'), signs('two'), close(0), ...ended], [thinking('a', 'two')]],
    ['thinking without a signature', [opensThinking, thinks('a'), close(0), ...ended], [thinking('a', null)]],
    ['withheld thinking, of which only the signature arrives', [opensThinking, signs('theirs'), close(0), ...ended], [thinking('', 'theirs')]],
    ['empty thinking, which is dropped', [opensThinking, close(0), opensText(1), says(1, 'a'), close(1), ...ended], [text('a')]],
    ['the contents with which a block starts', [open(0, { type: 'thinking', thinking: 'a', signature: 's' }), close(0), open(1, { type: 'text', text: 'b' }), says(1, 'c'), close(1), ...ended],
      [thinking('a', 's'), text('bc')]],
    ['two blocks of one kind as two', [opensText(0), says(0, 'a'), close(0), opensText(1), says(1, 'b'), close(1), ...ended], [text('a'), text('b')]],
    ['an empty text, which is dropped', [opensText(0), says(0, ''), close(0), ...ended], []],
    ['a call without arguments', [calls(0), close(0), ...ended], [toolCall('c0', '')]],
    ['arguments that come with the start of a call', [calls(0, { input: { a: 1 } }), close(0), ...ended], [toolCall('c0', '{"a":1}')]],
    ['arguments that come with the start of a call and again after it', [calls(0, { input: { a: 1 } }), passes(0, '{"a":1}'), close(0), ...ended], [toolCall('c0', '{"a":1}')]],
    ['calls whose starts differ only in an argument, each with its own argument', [...['1', '2', '3', '4'].map((q) => calls(0, { input: { q } })), ...ended],
      [['c0', '1'], ['made_1', '2'], ['made_2', '3'], ['made_3', '4']].map(([id = '', q = '']) => toolCall(id, `{"q":"${q}"}`))],
    ['a call without an id, which gets one', [calls(0, { id: undefined }), close(0), ...ended], [toolCall('made_1', '')]],
    ['redacted thinking as it comes, and unknown blocks, which are dropped',
      [open(0, { type: 'redacted_thinking', data: 'x' }), close(0), open(1, { type: 'server_tool_use', id: 's' }), passes(1, '{}'), close(1), opensText(2), says(2, 'a'), close(2), ...ended],
      [{ type: 'thinking', text: '', signature: 'x', form: 'redacted-thinking' }, text('a')]],
    ['unknown pieces and citations, which are dropped', [opensText(0), delta(0, { type: 'citations_delta', citation: {} }), says(0, 'a'), close(0), { type: 'future_event' }, ...ended], [text('a')]],
    ['blocks that are not closed', [opensText(0), says(0, 'a'), calls(1), passes(1, '{}'), ...ended], [text('a'), toolCall('c1', '{}')]],
    ['calls that are open side by side, in order',
      [calls(0), calls(1), calls(2), passes(1, '{"b"'), passes(0, '{"a"'), passes(2, '{}'), close(2), passes(0, ':0}'), passes(1, ':1'), close(0), passes(1, '}'), close(1), opensText(3), says(3, 'd'), close(3), ...ended],
      [toolCall('c0', '{"a":0}'), toolCall('c1', '{"b":1}'), toolCall('c2', '{}'), text('d')]],
    ['calls that are open side by side and not closed', [calls(0), calls(1, { input: { b: 1 } }), passes(0, '{}'), opensText(2), says(2, 'a'), ...ended],
      [toolCall('c0', '{}'), toolCall('c1', '{"b":1}'), text('a')]],
    ['a call that begins again under its index as another one', [calls(0), passes(0, '{"a":1}'), calls(0, { id: 'again' }), passes(0, '{"b":2}'), ...ended],
      [toolCall('c0', '{"a":1}'), toolCall('again', '{"b":2}')]],
    ['thinking without its signature if that comes after the text, as llama.cpp sends it',
      [opensThinking, thinks('a'), opensText(1), says(1, 'b'), says(1, 'c'), signs('late'), close(0), close(1), ...ended], [thinking('a', null), text('bc')]],
    ['thinking whose end comes after the start of a call', [opensThinking, thinks('a'), calls(1), passes(1, '{}'), signs(''), close(0), close(1), ...ended], [thinking('a', null), toolCall('c1', '{}')]],
    ['a signature after the end of its block, which is dropped', [opensThinking, thinks('a'), close(0), signs('late'), opensText(1), says(1, 'b'), close(1), ...ended], [thinking('a', null), text('b')]],
    ['thinking that continues after text, as another block without a signature', [opensThinking, thinks('a'), opensText(1), says(1, 'b'), thinks('c'), signs('all'), says(1, 'd'), close(0), close(1), ...ended],
      [thinking('a', null), text('b'), thinking('c', null), text('d')]],
    ['texts that are open side by side, in the order of their pieces', [opensText(0), opensText(1), says(0, 'a'), says(1, 'b'), close(0), close(1), ...ended], [text('a'), text('b')]],
    ['text and thinking that begin inside a call, after the call',
      [calls(0), open(1, { type: 'thinking', thinking: 'a' }), delta(1, { type: 'signature_delta', signature: 's' }), opensText(2), says(2, 'b'), passes(0, '{}'), close(2), close(1), close(0), ...ended],
      [toolCall('c0', '{}'), thinking('a', 's'), text('b')]],
    ['an unknown block inside a text, which does not divide it', [opensText(0), says(0, 'a'), open(1, { type: 'future' }), says(1, '?'), says(0, 'b'), close(1), close(0), ...ended], [text('ab')]],
    ['a text whose end comes twice, once', [opensText(0), says(0, 'a'), close(0), close(0), close(7), ...ended], [text('a')]],
    ['white space after a call, which is dropped', [calls(0), close(0), opensText(1), says(1, '\n'), says(1, ' '), close(1), ...ended], [toolCall('c0', '')]],
    ['white space in a block of its own after a call, which is dropped', [calls(0), close(0), opensText(1), says(1, '\n'), close(1), opensText(2), says(2, 'a'), close(2), ...ended], [toolCall('c0', ''), text('a')]],
    ['text after a call, which is kept', [calls(0), close(0), opensText(1), says(1, '\n'), says(1, 'a'), says(1, '\n'), close(1), ...ended], [toolCall('c0', ''), text('\na\n')]],
    ['white space at the beginning of a reply, which is kept', [opensText(0), says(0, '\n'), close(0), ...ended], [text('\n')]],
    ['a reply without a closing event', [opensText(0), says(0, 'a'), close(0), ending('end_turn')], [text('a')]],
    ['nothing after the closing event', [opensText(0), says(0, 'a'), close(0), ...ended, opensText(1), says(1, 'b')], [text('a')]],
  ])('reads %s', (_name, events, blocks) => {
    expect(readEvents(events).blocks).toEqual(blocks);
  });

  it.each<[string, readonly JsonObject[], string]>([
    ['end_turn', [], 'end'], ['stop_sequence', [], 'end'], ['pause_turn', [], 'end'], ['max_tokens', [], 'max-tokens'], ['model_context_window_exceeded', [], 'max-tokens'],
    ['refusal', [], 'content-filter'], ['toString', [], 'max-tokens'], ['tool_use', [calls(0), close(0)], 'tool-call'], ['end_turn', [calls(0), close(0)], 'tool-call'], ['tool_use', [], 'end'],
    ['max_tokens', [calls(0), passes(0, '{'), close(0)], 'max-tokens'],
  ])('that stopped by %s after %j has the stop reason %s', (reason, events, stopReason) => {
    expect(readEvents([...events, ending(reason), stop]).end?.stopReason).toBe(stopReason);
  });

  const plain = { promptTokens: 10, ...NO_PROMPT_PARTS, outputTokens: 4, reasoningTokens: null, totalTokens: null };
  const startWith = (usage: JsonObject | undefined): JsonObject => ({ ...start, message: { usage } });
  it.each<[string, readonly JsonObject[], NonNullable<ReadReply['end']>['usage']]>([
    ['the prompt at the start and the output at the end', [start, ending('end_turn', { output_tokens: 4 })], plain],
    ['the classes of the prompt, which are apart',
      [startWith({ input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 2, output_tokens: 1 }), ending('end_turn', { output_tokens: 4 })],
      { ...plain, cachedPromptTokens: 5, cacheCreationTokens: 2 }],
    ['repeated totals, which are not added up', [start, ending(null, { output_tokens: 2 }), ending('end_turn', { input_tokens: 10, output_tokens: 4 })], plain],
    ['an end with all figures', [startWith({ input_tokens: 0, output_tokens: 0 }), ending('end_turn', { input_tokens: 10, output_tokens: 4 })], plain],
    ['a prompt of 0 at the end, which does not replace the first figure', [startWith({ input_tokens: 10, output_tokens: 1 }), ending('end_turn', { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 4 })], plain],
    ['a prompt that was all in the cache', [start, ending('end_turn', { input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 4 })], { ...plain, cachedPromptTokens: 10 }],
    ['a null at the end, which does not replace the first figure', [start, ending('end_turn', { input_tokens: null, cache_read_input_tokens: null, output_tokens: 4 })], plain],
    ['the share of thinking, which the end corrects',
      [startWith({ input_tokens: 10, output_tokens_details: { thinking_tokens: 1 } }), ending('end_turn', { output_tokens: 4, output_tokens_details: { thinking_tokens: 3 } })],
      { ...plain, reasoningTokens: 3 }],
    ['details without thinking', [start, ending('end_turn', { output_tokens: 4, output_tokens_details: null })], plain],
    ['no end', [start, ending('end_turn')], null],
    ['no start', [startWith(undefined), ending('end_turn', { output_tokens: 4 })], null],
    ['nothing', [ending('end_turn')], null],
    ['implausible figures, as they are', [start, ending('end_turn', { output_tokens: -4 })], { ...plain, outputTokens: -4 }],
  ])('has its usage from %s', (_name, ...[events, usage]) => {
    expect(readEvents([...events, stop]).end?.usage).toEqual(usage);
  });

  it.each<[string, readonly JsonObject[], string]>([
    ['it ends without a stop reason', [start, opensText(0), says(0, 'a'), close(0)], 'cut-off'],
    ['it ends without a stop reason', [start, ending(null), stop], 'cut-off'],
    ['it is empty', [], 'cut-off'],
    ['a piece belongs to no block', [start, says(0, 'a')], 'malformed-reply'],
    ['a piece belongs to a call that has ended', [start, calls(0), close(0), calls(1), passes(0, '{}')], 'malformed-reply'],
    ['a call that begins inside another one has no name', [start, calls(0), calls(1, { name: '' }), close(1), close(0)], 'malformed-reply'],
    ['a call has no name', [start, calls(0, { name: '' })], 'malformed-reply'],
    ['the server is overloaded', [start, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }], 'server-error'],
    ['the server fails', [start, { type: 'error', error: { type: 'api_error', message: 'no' } }], 'server-error'],
    ['the server limits the rate', [{ type: 'error', error: { type: 'rate_limit_error', message: 'no' } }], 'rate-limited'],
    ['the server does not accept the key', [{ type: 'error', error: { type: 'authentication_error', message: 'no' } }], 'bad-credentials'],
    ['the server denies permission', [{ type: 'error', error: { type: 'permission_error', message: 'no' } }], 'bad-credentials'],
    ['the server does not know the model', [{ type: 'error', error: { type: 'not_found_error', message: 'no' } }], 'model-unknown'],
    ['the server times out', [{ type: 'error', error: { type: 'timeout_error', message: 'no' } }], 'server-error'],
    ['the server demands payment', [{ type: 'error', error: { type: 'billing_error', message: 'no' } }], 'payment-required'],
    ['the server demands payment, in other words', [{ type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to use the API.' } }], 'payment-required'],
    ['the server refuses the request', [{ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }], 'refused'],
    ['the prompt is too long', [{ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } }], 'context-too-long'],
    ['prompt and output are too long', [{ type: 'error', error: { type: 'invalid_request_error', message: 'input length and `max_tokens` exceed context limit: 7 + 2 > 8' } }], 'context-too-long'],
  ])('fails when %s', (_name, events, reason) => {
    expect(() => readEvents(events)).toThrow(expect.objectContaining({ reason }));
  });

  it.each<[string, readonly JsonObject[], ReadReply['blocks']]>([
    ['inside one piece', [opensText(0), says(0, 'a STOP b')], [text('a ')]],
    ['across pieces', [opensText(0), says(0, 'a ST'), says(0, 'OP'), says(0, ' b')], [text('a ')]],
    ['at the start of a block', [open(0, { type: 'text', text: 'STOP' })], []],
  ])('ends at a stop sequence that the server does not know, %s', (_name, events, blocks) => {
    const reply = readEvents(events, ['STOP']);
    expect(reply.blocks).toEqual(blocks);
    expect(reply.end).toEqual({ stopReason: 'end', usage: null });
  });

  it.each<[string, readonly JsonObject[]]>([
    ['a call', [calls(0), opensText(1), says(1, 'a STOP b'), close(0)]],
    ['the reply', [calls(0), opensText(1), says(1, 'a STOP b'), ...ended]],
  ])('ends at a stop sequence in a text that waited for the end of %s', (_name, events) => {
    const reply = readEvents(events, ['STOP']);
    expect(reply.blocks).toEqual([toolCall('c0', ''), text('a ')]);
    expect(reply.end).toEqual({ stopReason: 'tool-call', usage: null });
  });

  it('does not end at a stop sequence across two blocks, and withholds no text at the end of a block', () => {
    expect(readEvents([opensText(0), says(0, 'a ST'), close(0), opensText(1), says(1, 'OP'), close(1), ...ended], ['STOP']).blocks).toEqual([text('a ST'), text('OP')]);
  });

  const arbitraryText = fc.option(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '"', ' ') }), { maxLength: 4 }), { nil: undefined });
  const arbitraryReply: fc.Arbitrary<ScriptedReply> = fc.record({
    text: arbitraryText,
    reasoning: arbitraryText,
    reasoningSignature: fc.constantFrom('', 'theirs'),
    toolCalls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), arguments: fc.constantFrom(['{"a"', ':"é"}'], ['{"b":', '2}'], '') }), { maxLength: 3 })
      .map((all) => all.map((call, index) => ({ ...call, id: `c${index}` }))),
    finishReason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'pause_turn'),
    usagePlace: fc.constantFrom('last-chunk', 'nowhere'),
  }).map((reply) => Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined)));

  it('is read the same as a whole reply, however its bytes are split', () => {
    fc.assert(fc.property(arbitraryReply, fc.constantFrom('\n', '\r\n', '\r'), fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (...[reply, lineEnd, lengths]) => {
      const bytes = Buffer.from(framesOf(messagesEvents(reply, 'm'), { lineEnd, done: 'missing' }).join(''));
      const streamed = read(piecesOf(bytes, lengths));
      const whole = readBody(JSON.stringify(messagesReply(reply, 'm')));
      expect({ blocks: streamed.blocks, end: streamed.end }).toEqual({ blocks: whole.blocks, end: whole.end });
    }), { numRuns: 300 });
  });

  it('is read in linear time if it has a call of 20,000 pieces', () => {
    const startedAt = process.cpuUsage();
    readEvents([start, calls(0), ...Array.from({ length: 20_000 }, () => passes(0, 'x'.repeat(40))), close(0), ...ended]);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});

describe('a whole message', () => {
  it('is read with the arguments of a call verbatim', () => {
    const written = '{ "2": 1.0, "1": 12345678901234567890 }';
    const body = `{"type":"message","content":[{"type":"tool_use","id":"c1","name":"f","input":${written}}],"stop_reason":"tool_use"}`;
    expect(readBody(body).blocks).toEqual([toolCall('c1', written)]);
  });

  it.each<[string, string, string]>([
    ['is no JSON', '{"type": "message",', 'malformed-reply'],
    ['is a page', '<html></html>', 'malformed-reply'],
    ['is something else', '{}', 'cut-off'],
    ['is an error', '{"type":"error","error":{"type":"overloaded_error","message":"no"}}', 'server-error'],
    ['does not say why it ended', JSON.stringify(messagesReply({ text: 'a', finishReason: null }, 'm')), 'cut-off'],
  ])('fails when the body %s', (_name, body, reason) => {
    expect(() => readBody(body)).toThrow(expect.objectContaining({ reason }));
  });

  it('ends at a stop sequence that the server does not know', () => {
    const body = JSON.stringify(messagesReply({ text: 'a STOP b', toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }] }, 'm'));
    const reply = readWhole((writer) => new MessagesReplyAssembler(writer, { ...terms(), localStopSequences: ['STOP'] }), body);
    expect(reply.blocks).toEqual([text('a ')]);
    expect(reply.end).toMatchObject({ stopReason: 'end', usage: { promptTokens: 12, outputTokens: 3 } });
  });
});
