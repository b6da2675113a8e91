import { describe, expect, it } from '@jest/globals';
import { NO_PROMPT_PARTS, type JsonObject } from '@tollgate/core';
import { framesOf, responsesEvents, responsesReply, type ScriptedReply } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { piecesOf, readPieces, type ReadReply, readWhole } from '../test-support/calls.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { ResponsesReplyAssembler } from './responses-reply-assembler.js';

const framed = (events: readonly JsonObject[]): string => framesOf(events, { done: 'missing' }).join('');
const terms = { newToolCallId: () => 'made', localStopSequences: [] as readonly string[], modelReasons: false };

function read(pieces: readonly Uint8Array[], localStopSequences: readonly string[] = []): ReadReply {
  return readPieces((writer) => new ResponsesReplyAssembler(writer, { ...terms, localStopSequences }), pieces);
}

/** Feeds each event to the assembler in a read of its own. */
function readEvents(events: readonly JsonObject[], localStopSequences: readonly string[] = []): ReadReply {
  return read(events.map((event) => Buffer.from(framed([event]))), localStopSequences);
}

function readBody(reply: JsonObject, localStopSequences: readonly string[] = []): ReadReply {
  return readWhole((writer) => new ResponsesReplyAssembler(writer, { ...terms, localStopSequences }), JSON.stringify(reply));
}

const added = (output_index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.done', output_index, item });
const delta = (kind: string, output_index: number, piece: string, rest: JsonObject = {}): JsonObject => ({ type: `response.${kind}.delta`, output_index, delta: piece, ...rest });
const message = { type: 'message', role: 'assistant', content: [] };
const said = (...texts: readonly string[]) => ({ ...message, content: texts.map((text) => ({ type: 'output_text', text })) });
const reasoning = { type: 'reasoning', summary: [] };
const call = (call_id: string, rest: JsonObject = {}) => ({ type: 'function_call', call_id, name: 'f', arguments: '', ...rest });
const USAGE = { input_tokens: 10, input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 }, output_tokens: 6, output_tokens_details: { reasoning_tokens: 2 }, total_tokens: 16 };
const ended = (status = 'completed', rest: JsonObject = {}): JsonObject => ({ type: `response.${status}`, response: { object: 'response', status, usage: USAGE, error: null, ...rest } });

const text = (words: string) => ({ type: 'text', text: words }) as const;
const refusal = (words: string) => ({ type: 'text', text: words, isRefusal: true }) as const;
const thinking = (words: string, signature: string | null) => ({ type: 'thinking', text: words, signature, ...(signature === null ? {} : { form: 'encrypted-reasoning' as const }) }) as const;
const toolCall = (id: string, argumentsJson: string) => ({ type: 'tool-call', id, name: 'f', argumentsJson }) as const;

const SOCKET_READ = 65_536;
const LONG = 'A long line of the reply.\n'.repeat(60_000);

/** Reads frames in pieces as sockets give them. */
function readSocket(events: readonly JsonObject[]): ReadReply {
  const bytes = Buffer.from(framed(events));
  return read(Array.from({ length: Math.ceil(bytes.length / SOCKET_READ) }, (_none, index) => bytes.subarray(index * SOCKET_READ, (index + 1) * SOCKET_READ)));
}

describe('a streamed response with events of more than a mebibyte', () => {
  const pieces = LONG.match(/.{1,25000}/gs) ?? [];
  const begins = [{ type: 'response.created', response: { object: 'response', instructions: LONG, output: [] } }, added(0, message)];

  it.each<[string, readonly JsonObject[]]>([
    ['in pieces', [...begins, ...pieces.map((piece) => delta('output_text', 0, piece)), { type: 'response.output_text.done', output_index: 0, text: LONG }, done(0, said(LONG))]],
    ['of a server without deltas at the end', [...begins, ...pieces.map((piece) => delta('output_text', 0, piece))]],
  ])('is read %s, with the usage of its last event', (_case, events) => {
    const { blocks, end } = readSocket([...events, ended('completed', { instructions: LONG, output: [said(LONG)] })]);
    expect(blocks).toEqual([text(LONG)]);
    expect(end).toMatchObject({ stopReason: 'end', usage: { promptTokens: 10, outputTokens: 6 } });
  });

  it('contains the arguments of a tool call that arrived in several deltas', () => {
    const json = JSON.stringify({ text: LONG });
    const events = [added(0, call('c1')), ...(json.match(/.{1,25000}/gs) ?? []).map((piece) => delta('function_call_arguments', 0, piece)), done(0, call('c1', { arguments: json })), ended()];
    expect(readSocket(events).blocks).toEqual([toolCall('c1', json)]);
  });

  it.each<[string, readonly JsonObject[]]>([
    ['a piece', [added(0, message), delta('output_text', 0, LONG), ended()]],
    ['an item without pieces', [added(0, message), done(0, said(LONG)), ended()]],
    ['an item that never began', [done(0, said(LONG)), ended()]],
    ['reasoning, whose encrypted form may be long', [added(0, reasoning), delta('reasoning_text', 0, 'a'), done(0, { ...reasoning, encrypted_content: LONG }), ended()]],
    ['the output of a reply without item events', [ended('completed', { output: [said(LONG)] })]],
  ])('is refused if such an event has %s', (_case, events) => {
    expect(() => readSocket(events)).toThrow('the upstream sent an event that is too large');
  });
});

describe('a streamed response', () => {
  it.each<[string, readonly JsonObject[], ReadReply['blocks']]>([
    ['reasoning, text and calls', [
      { type: 'response.created', response: {} }, added(0, reasoning), delta('reasoning_summary_text', 0, 'H'), delta('reasoning_summary_text', 0, 'm'),
      done(0, { ...reasoning, encrypted_content: 'theirs' }), added(1, message), delta('output_text', 1, 'a'), delta('output_text', 1, 'b'), done(1, said('ab')),
      added(2, call('c2')), delta('function_call_arguments', 2, '{"x":1}'), done(2, call('c2', { arguments: '{"x":1}' })), ended(),
    ], [thinking('Hm', 'theirs'), text('ab'), toolCall('c2', '{"x":1}')]],
    ['items that come whole at their end', [added(0, message), done(0, said('a', 'b')), added(1, call('c1')), done(1, call('c1', { arguments: '{}' })), ended()], [text('ab'), toolCall('c1', '{}')]],
    ['content that is a text, and arguments that are an object', [done(0, { ...message, content: 'a' }), done(1, call('c1', { arguments: { b: [1] } })), ended()], [text('a'), toolCall('c1', '{"b":[1]}')]],
    ['items that are in the last event alone', [ended('completed', { output: [said('a'), call('c1', { arguments: '{}' })] })], [text('a'), toolCall('c1', '{}')]],
    ['items of the last event once if they came before it', [added(0, message), delta('output_text', 0, 'a'), done(0, said('a')), ended('completed', { output: [said('a')] })], [text('a')]],
    ['items without a start event', [done(0, said('a')), ended()], [text('a')]],
    ['reasoning in full', [added(0, reasoning), delta('reasoning_text', 0, 'Hm'), done(0, reasoning), ended()], [thinking('Hm', null)]],
    ['reasoning in full and as a summary, once', [added(0, reasoning), delta('reasoning_text', 0, 'Hm'), delta('reasoning_summary_text', 0, 'short'), done(0, reasoning), ended()], [thinking('Hm', null)]],
    ['two parts of a summary, apart', [added(0, reasoning), delta('reasoning_summary_text', 0, 'a', { summary_index: 0 }), delta('reasoning_summary_text', 0, 'b', { summary_index: 1 }), done(0, reasoning), ended()], [thinking('a\n\nb', null)]],
    ['withheld reasoning in its encrypted form', [added(0, reasoning), done(0, { ...reasoning, encrypted_content: 'theirs' }), ended()], [thinking('', 'theirs')]],
    ['a refusal', [added(0, message), delta('refusal', 0, 'No.'), done(0, message), ended()], [refusal('No.')]],
    ['a refusal after text of one message', [added(0, message), delta('output_text', 0, 'Hm. '), delta('refusal', 0, 'N'), delta('refusal', 0, 'o.'), done(0, message), ended()], [text('Hm. '), refusal('No.')]],
    ['a refusal that comes whole', [done(0, { ...message, content: [{ type: 'output_text', text: 'Hm. ' }, { type: 'refusal', refusal: 'No.' }] }), ended()], [text('Hm. '), refusal('No.')]],
    ['two calls side by side, in order', [added(0, call('c0')), added(1, call('c1')), delta('function_call_arguments', 1, '{"b"'), delta('function_call_arguments', 0, '{"a":1}'), delta('function_call_arguments', 1, ':2}'),
      done(1, call('c1')), done(0, call('c0')), ended()], [toolCall('c0', '{"a":1}'), toolCall('c1', '{"b":2}')]],
    ['a call without an id, which gets one', [added(0, call('')), done(0, call('', { arguments: '{}' })), ended()], [toolCall('made', '{}')]],
    ['items of tools that the server runs, and unknown events, which are dropped', [added(0, { type: 'web_search_call' }), { type: 'response.web_search_call.searching', output_index: 0 }, done(0, { type: 'web_search_call' }),
      { type: 'response.future' }, added(1, message), delta('output_text', 1, 'a'), done(1, message), ended()], [text('a')]],
    ['an empty error beside an event', [{ ...added(0, message), error: null }, { ...delta('output_text', 0, 'a'), error: '' }, { ...done(0, message), error: null }, ended()], [text('a')]],
    ['ids that change from event to event', [added(0, { ...message, id: 'm1' }), delta('output_text', 0, 'a', { item_id: 'm2' }), done(0, { ...message, id: 'm3' }), ended()], [text('a')]],
  ])('is read: %s', (_name, events, blocks) => {
    expect(readEvents(events).blocks).toEqual(blocks);
  });

  it('states its usage and finish reason', () => {
    const usage = { ...NO_PROMPT_PARTS, promptTokens: 10, cachedPromptTokens: 4, cacheCreationTokens: 1, outputTokens: 6, reasoningTokens: 2, totalTokens: 16 };
    expect(readEvents([ended()]).end).toEqual({ stopReason: 'end', usage });
    expect(readEvents([ended('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })]).end?.stopReason).toBe('max-tokens');
    expect(readEvents([ended('incomplete', { incomplete_details: { reason: 'content_filter' } })]).end?.stopReason).toBe('content-filter');
    expect(readEvents([ended('incomplete', { incomplete_details: null })]).end?.stopReason).toBe('max-tokens');
    expect(readEvents([{ type: 'response.incomplete', response: { usage: USAGE } }]).end).toEqual({ stopReason: 'max-tokens', usage });
    expect(readEvents([added(0, call('c')), done(0, call('c')), ended()]).end?.stopReason).toBe('tool-call');
    expect(readEvents([ended('completed', { usage: undefined })]).end).toEqual({ stopReason: 'end', usage: null });
  });

  /** Events as llama.cpp sends them: without index, and with all final events at the end. */
  const withoutIndex = (events: readonly JsonObject[]): readonly JsonObject[] => events.map((event) => Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'output_index')));
  const ofItem = (item_id: string) => ({ item_id });

  it('distinguishes items by id if the server sends no index', () => {
    const [thought, answer, first, second] = [{ ...reasoning, id: 'rs_1' }, { ...message, id: 'msg_1' }, call('fc_a'), call('fc_b')];
    const { blocks, end } = readEvents(withoutIndex([
      added(0, thought), delta('reasoning_text', 0, 'Hm.', ofItem('rs_1')), added(0, answer), delta('output_text', 0, 'Both', ofItem('msg_1')),
      added(0, first), delta('function_call_arguments', 0, '{"a":1}', ofItem('fc_a')), delta('output_text', 0, ' now.', ofItem('msg_1')),
      added(0, second), delta('function_call_arguments', 0, '{', ofItem('fc_b')), delta('function_call_arguments', 0, '}', ofItem('fc_b')),
      done(0, { ...thought, content: [{ type: 'reasoning_text', text: 'Hm.' }], encrypted_content: '' }), done(0, { ...said('Both now.'), id: 'msg_1' }),
      done(0, call('fc_a', { arguments: '{"a":1}' })), done(0, call('fc_b', { arguments: '{}' })), ended(),
    ]));
    expect(blocks).toEqual([thinking('Hm.', null), text('Both'), toolCall('fc_a', '{"a":1}'), text(' now.'), toolCall('fc_b', '{}')]);
    expect(end?.stopReason).toBe('tool-call');
  });

  it.each<[string, readonly JsonObject[]]>([
    ['nor any id', [added(0, reasoning), delta('reasoning_text', 0, 'Hm.'), added(0, message), delta('output_text', 0, 'Yes'), done(0, said('Yes')), added(0, call('c')), done(0, call('c', { arguments: '{}' }))]],
    ['and only the last event of each item', [done(0, { ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm.' }] }), done(0, said('Yes')), done(0, call('c', { arguments: '{}' }))]],
    ['and another id in the last event of an item', [added(0, { ...reasoning, id: 'a' }), done(0, { ...reasoning, id: 'b', content: [{ type: 'reasoning_text', text: 'Hm.' }] }), added(0, { ...message, id: 'm' }), delta('output_text', 0, 'Yes', ofItem('d')), done(0, { ...said('Yes'), id: 'e' }), done(0, call('c', { arguments: '{}' }))]],
  ])('reads items in order if the server sends no index %s', (_name, events) => {
    expect(readEvents(withoutIndex([...events, ended()])).blocks).toEqual([thinking('Hm.', null), text('Yes'), toolCall('c', '{}')]);
  });

  it.each<[string, readonly JsonObject[], string]>([
    ['its connection ends before its last event', [added(0, message), delta('output_text', 0, 'a')], 'cut-off'],
    ['a piece belongs to no item', [delta('output_text', 3, 'a')], 'malformed-reply'],
    ['it failed', [{ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'x' } } }], 'server-error'],
    ['it failed without an explanation', [{ type: 'response.failed', response: { status: 'failed', error: '' } }], 'server-error'],
    ['it failed without a status', [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } }], 'server-error'],
    ['it reports an empty error', [{ type: 'error', error: null, message: 'x' }], 'server-error'],
    ['the server limits the rate', [{ type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } } }], 'rate-limited'],
    ['it reports an error in the flat form', [{ type: 'error', code: 'server_error', message: 'x', param: null }], 'server-error'],
    ['it reports an error in the nested form', [{ type: 'error', error: { type: 'invalid_request_error', message: 'context_length_exceeded' } }], 'context-too-long'],
  ])('fails if %s', (_name, events, reason) => {
    expect(() => readEvents(events)).toThrow(expect.objectContaining({ reason }));
  });

  it('ends its text at a stop sequence, and still contains the usage that follows', () => {
    const events = [added(0, message), delta('output_text', 0, 'one tw'), delta('output_text', 0, 'o three'), done(0, said('one two three')), ended()];
    expect(readEvents(events, ['two'])).toMatchObject({ blocks: [text('one ')], end: { stopReason: 'end', usage: { promptTokens: 10 } } });
  });

  it('ends its text at a stop sequence, and drops the items that the upstream completes after it', () => {
    const events = [added(0, message), delta('output_text', 0, 'one two'), done(1, said('three')), done(2, call('c1')), ended()];
    expect(readEvents(events, ['two'])).toMatchObject({ blocks: [text('one ')], end: { stopReason: 'end' } });
    expect(readEvents([done(0, said('one two three')), done(1, said('four')), ended()], ['two'])).toMatchObject({ blocks: [text('one ')], end: { stopReason: 'end' } });
  });

  const arbitraryText = fc.option(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '"', ' ') }), { maxLength: 4 }), { nil: undefined });
  const arbitraryReply: fc.Arbitrary<ScriptedReply> = fc.record({
    text: arbitraryText,
    reasoning: arbitraryText,
    reasoningSignature: fc.constantFrom('', 'theirs'),
    toolCalls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), arguments: fc.constantFrom(['{"a"', ':"é"}'], ['{"b":', '2}'], '') }), { maxLength: 3 })
      .map((all) => all.map((each, index) => ({ ...each, id: `c${index}` }))),
    finishReason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
    usagePlace: fc.constantFrom('last-chunk', 'nowhere'),
  }).map((reply) => Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined)));

  it('is read the same as a whole reply, however its bytes are split', () => {
    fc.assert(fc.property(arbitraryReply, fc.constantFrom('\n', '\r\n', '\r'), fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (...[reply, lineEnd, lengths]) => {
      const bytes = Buffer.from(framesOf(responsesEvents(reply, 'm'), { lineEnd, done: 'missing' }).join(''));
      const streamed = read(piecesOf(bytes, lengths));
      const whole = readBody(responsesReply(reply, 'm'));
      expect({ blocks: streamed.blocks, end: streamed.end }).toEqual({ blocks: whole.blocks, end: whole.end });
    }), { numRuns: 300 });
  });

  it('with items of all kinds is read the same, whichever byte the stream is split at', () => {
    const events = responsesEvents({
      reasoning: ['Let me ', 'see.'], text: ['Hel', 'lo ', '漢😀'], toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"a"', ':1}'] }, { id: 'c2', name: 'g', arguments: '{}' }],
    }, 'm');
    const expected = readEvents(events);
    const bytes = Buffer.from(framed(events));
    for (let at = 1; at < bytes.length; at += 1) {
      const { blocks, end } = read([bytes.subarray(0, at), bytes.subarray(at)]);
      expect([at, { blocks, end }]).toEqual([at, { blocks: expected.blocks, end: expected.end }]);
    }
  });
});

describe('a whole response', () => {
  it('ends its text at a stop sequence, and drops the items that follow', () => {
    const reply = { object: 'response', status: 'completed', output: [said('one two three'), call('c1', { arguments: '{}' }), said('four')], usage: USAGE };
    expect(readBody(reply, ['two'])).toMatchObject({ blocks: [text('one ')], end: { stopReason: 'end', usage: { promptTokens: 10 } } });
  });

  it('fails if the server reports a failure', () => {
    expect(() => readBody({ object: 'response', status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] })).toThrow(UpstreamFailure);
  });
});
