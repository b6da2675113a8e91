import { describe, expect, it } from '@jest/globals';
import { type AssistantBlock, ChargedError, type ErrorCode, GatewayError, type GenerationEventBatch, type ModelSlug, promptTokensOf, type StopReason, type ToolDeclaration } from '@tollgate/core';
import { aCompletedGeneration, arbitraryReply, checkResponsesStream } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { encodeReply } from './encode-response.js';
import { COMMENT_FRAME } from './stream-encoder.js';
import {
  aContext, aDeclaration, anEncoder, eventsBeforeEnd, PORTS, replyOf, sealedReasoning, streamOf,
} from './test-support/builders.js';

const call = (id: string, argumentsJson: string, name = 'look'): AssistantBlock => ({ type: 'tool-call', id, name, argumentsJson });
const text = (said: string): AssistantBlock => ({ type: 'text', text: said });
const declared = (differences: Partial<ToolDeclaration>) => aContext({ declarations: new Map([['look', aDeclaration(differences)]]) });
const START: GenerationEventBatch = [{ type: 'generation-start', servedBy: 'test-model' as ModelSlug, fallbackUsed: false, upstreamModel: 'upstream-model' }];

type Numbered<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
/** Events without the fields that only other SDK versions know. */
type KnownEvent = Numbered<ResponseStreamEvent>;

/** The frames of events, with sequence numbers from 0. */
function framesOf(events: readonly KnownEvent[]): string {
  return events.map(({ type, ...fields }, number) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...fields })}\n\n`).join('');
}

const whole = (generation = aCompletedGeneration()) => replyOf(generation) as unknown as Response;
const inProgress = (): Response => JSON.parse(encodeReply({ status: 'in_progress', output: [] }, 'test-model', { context: aContext(), clock: PORTS.clock }).text) as Response;
/** The name of a call. The types of the installed SDK lack it in this event, but those of another version have it. */
const NAME = { name: 'look' };

describe('a responses stream', () => {
  it('of a text has the events of the format', () => {
    const part = { type: 'output_text' as const, text: '', annotations: [], logprobs: [] };
    const place = { item_id: 'msg_1_0', output_index: 0, content_index: 0 };
    const message = { id: 'msg_1_0', type: 'message' as const, role: 'assistant' as const };
    const content = [{ ...part, text: 'Let me "look".\n\n' }];
    const generation = aCompletedGeneration({ blocks: [text('Let me "look".\n\n')] });
    expect(streamOf(generation)).toBe(framesOf([
      { type: 'response.created', response: inProgress() },
      { type: 'response.in_progress', response: inProgress() },
      { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...place, part },
      { type: 'response.output_text.delta', ...place, logprobs: [], delta: 'Let ' },
      { type: 'response.output_text.delta', ...place, logprobs: [], delta: 'me ' },
      { type: 'response.output_text.delta', ...place, logprobs: [], delta: '"look".\n\n' },
      { type: 'response.output_text.done', ...place, logprobs: [], text: 'Let me "look".\n\n' },
      { type: 'response.content_part.done', ...place, part: { ...part, text: 'Let me "look".\n\n' } },
      { type: 'response.output_item.done', output_index: 0, item: { ...message, status: 'completed', content } },
      { type: 'response.completed', response: whole(generation) },
    ]));
  });

  it('of reasoning and two calls has the events of the format', () => {
    const generation = aCompletedGeneration({
      blocks: [{ type: 'thinking', text: 'Hm, well', signature: 'signed' }, call('call_1', '{"at": 1}'), call('call_2', '')], stopReason: 'tool-call',
    });
    const place = { item_id: 'rs_1_0', output_index: 0, summary_index: 0 };
    const [reasoning, first, second] = whole(generation).output;
    const added = { type: 'function_call' as const, status: 'in_progress' as const };
    expect(streamOf(generation)).toBe(framesOf([
      { type: 'response.created', response: inProgress() },
      { type: 'response.in_progress', response: inProgress() },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'rs_1_0', type: 'reasoning', status: 'in_progress', summary: [] } },
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...place, delta: 'Hm, ' },
      { type: 'response.reasoning_summary_text.delta', ...place, delta: 'well' },
      { type: 'response.reasoning_summary_text.done', ...place, text: 'Hm, well' },
      { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text: 'Hm, well' } },
      { type: 'response.output_item.done', output_index: 0, item: reasoning as never },
      { type: 'response.output_item.added', output_index: 1, item: { id: 'fc_1_1', ...added, call_id: 'call_1', name: 'look', arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1_1', output_index: 1, delta: '{"at": ' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1_1', output_index: 1, delta: '1}' },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1_1', output_index: 1, ...NAME, arguments: '{"at": 1}' },
      { type: 'response.output_item.done', output_index: 1, item: first as never },
      { type: 'response.output_item.added', output_index: 2, item: { id: 'fc_1_2', ...added, call_id: 'call_2', name: 'look', arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1_2', output_index: 2, delta: '{}' },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1_2', output_index: 2, ...NAME, arguments: '{}' },
      { type: 'response.output_item.done', output_index: 2, item: second as never },
      { type: 'response.completed', response: whole(generation) },
    ].map((event) => event as KnownEvent)));
  });

  it('of a custom call delivers its input as one piece, however its arguments are split', () => {
    const encoder = anEncoder(declared({ kind: 'custom', name: 'apply_patch' }));
    const written = JSON.stringify({ input: 'a "quoted" \u{1F600}' }).replace('\u{1F600}', String.raw`\ud83d\ude00`);
    const frames = encoder.encode([
      ...START,
      { type: 'block-start', index: 0, block: { type: 'tool-call', id: 'call_1', name: 'look' } },
      ...written.split('').map((delta) => ({ type: 'block-delta' as const, index: 0, delta })),
      { type: 'block-end', index: 0, signature: null },
      ...endOf('tool-call'),
    ]);
    const { events, items } = checkResponsesStream(frames);
    expect(events.slice(2, 6)).toMatchObject([
      { type: 'response.output_item.added', item: { id: 'ctc_1_0', call_id: 'call_1', name: 'apply_patch', input: '' } },
      { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1_0', delta: 'a "quoted" \u{1F600}' },
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1_0', input: 'a "quoted" \u{1F600}' },
      { type: 'response.output_item.done', item: { status: 'completed', input: 'a "quoted" \u{1F600}' } },
    ]);
    expect(items).toHaveLength(1);
  });

  it('of a tool search has no delta events; the arguments are in the completed item', () => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', '{"query":"x"}')] });
    const { events } = checkResponsesStream(streamOf(generation, declared({ kind: 'search' })));
    expect(events.slice(2, -1)).toMatchObject([
      { type: 'response.output_item.added', item: { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: {} } },
      { type: 'response.output_item.done', item: { status: 'completed', arguments: { query: 'x' } } },
    ]);
  });

  it('without output has no items', () => {
    expect(checkResponsesStream(streamOf(aCompletedGeneration({ blocks: [] })))).toMatchObject({ items: [], response: { status: 'completed' } });
  });

  it.each<readonly [string, boolean, string]>([['is withheld', false, 'Hm'], ['has no text', true, '']])('seals reasoning that %s', (_, showsReasoning, thought) => {
    const generation = aCompletedGeneration({ blocks: [{ type: 'thinking', text: thought, signature: 'signed' }] });
    const { events, items } = checkResponsesStream(streamOf(generation, aContext({ showsReasoning })));
    expect(events.map(({ type }) => type).slice(2, -1)).toEqual(['response.output_item.added', 'response.output_item.done']);
    expect(items).toMatchObject([{ summary: [], encrypted_content: sealedReasoning(thought, 'signed') }]);
  });

  it('states at first whether the response will be stored, and in its last event whether it was', () => {
    const context = aContext({ inputItems: Buffer.from('[]') });
    const encoder = anEncoder(context);
    const before = encoder.encode(eventsBeforeEnd(aCompletedGeneration()));
    (context.echo as { keptBody: string | null }).keptBody = '{}';
    const { events } = checkResponsesStream(before + encoder.encode(endOf('end')));
    expect([events[0], events.at(-1)]).toMatchObject([{ response: { store: true } }, { response: { store: true } }]);
    expect(checkResponsesStream(streamOf(aCompletedGeneration(), aContext({ inputItems: Buffer.from('[]') }))).response).toMatchObject({ store: false });
  });

  it('names the serving model and marks a fallback', () => {
    const { response, usage } = checkResponsesStream(streamOf(aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true })));
    expect([response['model'], usage?.['svc_fallback_used']]).toEqual(['other-model', true]);
  });

  it.each([['', '{}'], [' \n ', ' \n {}'], ['{}', '{}'], ['{"cut', '{"cut']])('encodes the arguments %p as %p', (argumentsJson, sent) => {
    expect(checkResponsesStream(streamOf(aCompletedGeneration({ blocks: [call('1', argumentsJson)] }))).items).toMatchObject([{ arguments: sent }]);
  });
});

function endOf(stopReason: StopReason): GenerationEventBatch {
  const { usage, settlement } = aCompletedGeneration();
  return [{ type: 'generation-end', stopReason, usage, settlement }];
}

describe('a responses stream that is cut off', () => {
  it.each<readonly [StopReason, string]>([['max-tokens', 'max_output_tokens'], ['capacity', 'max_output_tokens'], ['content-filter', 'content_filter']])(
    'by %s is incomplete, as is its last item', (stopReason, reason) => {
      const { items, events, response } = checkResponsesStream(streamOf(aCompletedGeneration({ blocks: [text('a'), text('b')], stopReason })));
      expect(items.map(({ status }) => status)).toEqual(['completed', 'incomplete']);
      expect(events.at(-1)).toMatchObject({ type: 'response.incomplete' });
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason } });
    },
  );

  it.each<readonly [string, Partial<ToolDeclaration>, string, object]>([
    ['function', {}, '{"cut', { arguments: '{"cut' }],
    ['function without arguments', {}, '', { arguments: '' }],
    ['custom', { kind: 'custom' }, '{"input":"*** Beg', { input: '{"input":"*** Beg' }],
    ['search', { kind: 'search' }, '{"query', { arguments: { _raw: '{"query' } }],
  ])('does not complete the call that it cuts off: %s', (_, differences, argumentsJson, expected) => {
    const encoder = anEncoder(declared(differences));
    const before = encoder.encode(eventsBeforeEnd(aCompletedGeneration({ blocks: [call('call_1', argumentsJson)] })));
    expect(before).not.toContain('response.output_item.done');
    const { items } = checkResponsesStream(before + encoder.encode(endOf('max-tokens')));
    expect(items).toMatchObject([{ status: 'incomplete', ...expected }]);
  });
});

describe('a responses stream that fails', () => {
  const begun = eventsBeforeEnd(aCompletedGeneration({ blocks: [text('Hello there'), call('call_1', '{}')] }));

  it('ends with an error and a failed response, and does not complete the open item', () => {
    const encoder = anEncoder();
    const before = encoder.encode(begun);
    const failure = encoder.encodeError(new GatewayError('provider_unavailable', 'Gone\n\naway.', { cause: new Error('secret') }));
    const fields = { code: 'provider_unavailable', message: 'Gone\n\naway.', param: null };
    const { events, items, error, usage, response } = checkResponsesStream(before + failure);
    expect(events.at(-2)).toStrictEqual({ type: 'error', sequence_number: 11, ...fields, error: { ...fields, type: 'overloaded_error', request_id: 'req_1' } });
    expect(response).toMatchObject({ status: 'failed', error: { code: 'server_error', message: 'Gone\n\naway.' }, output: [], store: false });
    expect([error?.['code'], usage, items.length]).toEqual(['provider_unavailable', null, 1]);
  });

  it('states the charge', () => {
    const { usage, settlement } = aCompletedGeneration();
    const error = new ChargedError(new GatewayError('provider_unavailable', 'Gone.'), { usage, settlement, fallbackUsed: true });
    const encoder = anEncoder();
    expect(checkResponsesStream(encoder.encode(begun) + encoder.encodeError(error)).usage).toMatchObject({
      input_tokens: promptTokensOf(usage), output_tokens: 2300, svc_tokens_debited: '12.5', svc_balance_tokens: '92.75', svc_fallback_used: true,
    });
  });

  it('has its opening and closing events even before any output', () => {
    const { events } = checkResponsesStream(anEncoder().encodeError(new GatewayError('internal_error', 'No.')));
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'error', 'response.failed']);
  });

  it.each<readonly [ErrorCode, string]>([
    ['internal_error', 'server_error'], ['rate_limit_exceeded', 'rate_limit_exceeded'], ['context_length_exceeded', 'context_length_exceeded'], ['invalid_request', 'invalid_prompt'], ['service_unavailable', 'server_error'],
  ])('because of %s states a code of the format: %s', (code, expected) => {
    expect(checkResponsesStream(anEncoder().encodeError(new GatewayError(code, 'No.'))).response).toMatchObject({ error: { code: expected } });
  });
});

describe('a responses stream that is silent', () => {
  it('repeats response.in_progress, with the next sequence number', () => {
    const encoder = anEncoder();
    const batches = [...eventsBeforeEnd(aCompletedGeneration({ blocks: [{ type: 'thinking', text: 'Hm', signature: null }, text('Hello')] })), ...endOf('end')];
    const frames = batches.map((event, number) => (number === 0 ? '' : encoder.keepAlive()) + encoder.encode([event]));
    const { events } = checkResponsesStream(frames.join(''));
    expect(events.filter(({ type }) => type === 'response.in_progress')).toHaveLength(batches.length);
  });

  it('repeats all sent fields, since some clients replace the response', () => {
    const encoder = anEncoder();
    encoder.encode(eventsBeforeEnd(aCompletedGeneration({ blocks: [text('a'), { type: 'thinking', text: 'Hm', signature: 'signed' }] })));
    const { response } = JSON.parse(encoder.keepAlive().split('data: ')[1] ?? '') as { readonly response: Response };
    expect(response.output).toStrictEqual([
      { id: 'msg_1_0', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'a', annotations: [], logprobs: [] }] },
      { id: 'rs_1_1', type: 'reasoning', status: 'in_progress', summary: [{ type: 'summary_text', text: 'Hm' }] },
    ]);
  });

  it('sends a comment before its first event', () => {
    const encoder = anEncoder();
    expect(encoder.keepAlive()).toBe(': keep-alive\n\n');
    expect(COMMENT_FRAME + encoder.encode(START)).toContain('"sequence_number":0');
  });
});

describe('any responses stream', () => {
  const declarations = (kind: ToolDeclaration['kind']) => ({ get: (name: string) => aDeclaration({ kind, name, namespace: name.length > 3 ? 'group' : null }) }) as never;

  it.each(['function', 'custom', 'search'] as const)('has the content of the whole reply, however its pieces and batches are cut: calls of the kind %s', (kind) => {
    fc.assert(fc.property(arbitraryReply, fc.boolean(), ({ generation, batches }, showsReasoning) => {
      const context = aContext({ declarations: declarations(kind), showsReasoning });
      const encoder = anEncoder(context);
      const streamed = checkResponsesStream(batches.map((batch) => encoder.encode(batch)).join(''));
      expect(streamed.response).toEqual(replyOf(generation, context));
      expect(streamed.items).toEqual(streamed.response['output']);
    }), { numRuns: 200 });
  });
});
