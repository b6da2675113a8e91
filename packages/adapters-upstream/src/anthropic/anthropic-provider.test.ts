import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { NO_PROMPT_PARTS, type ProviderCall, type AnthropicUpstream } from '@tollgate/core';
import {
  answersHtml, answersMalformedJson, answersStatus, type Behaviour, breaksAfter, Gate, replies, resetsBeforeHeaders, type ScriptedReply,
  type ScriptedUpstream, startScriptedUpstream, until,
} from '@tollgate/testkit';
import { ReasoningRefusals } from '../http/reasoning-refusals.js';
import { aCall, failureOf, readStream, ToldProvider } from '../test-support/calls.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import { anthropicProvider } from './anthropic-provider.js';

const deliveries = ['whole', 'stream'] as const;

describe('anthropicProvider', () => {
  let upstream: ScriptedUpstream;
  let clock: ManualClock;
  let heard: string[];
  const providers: ToldProvider[] = [];

  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    clock = new ManualClock();
    heard = [];
  });
  afterEach(async () => {
    await upstream.close();
    await Promise.all(providers.splice(0).map((provider) => provider.close()));
  });

  function providerWith(differences: Partial<AnthropicUpstream> = {}): ToldProvider {
    const definition: AnthropicUpstream = { id: 'main', kind: 'anthropic', baseUrl: upstream.origin, apiKey: 'secret-key', ...differences };
    const provider = new ToldProvider(anthropicProvider(definition, { clock, ids: new SequentialIds(), reasoningRefusals: new ReasoningRefusals(clock, () => undefined) }), (word) => { heard.push(word); });
    providers.push(provider);
    return provider;
  }

  async function generate(call: ProviderCall, differences: Partial<AnthropicUpstream> = {}) {
    return readStream(await providerWith(differences).open(call));
  }

  const reply: ScriptedReply = {
    reasoning: ['Let me ', 'see.'], text: ['Hel', 'lo ', '漢😀'],
    toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"a"', ':1}'] }, { id: 'c2', name: 'g', arguments: '{"b":2}' }],
    usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } },
  };

  it.each(deliveries)('reads a %s reply', async (delivery) => {
    upstream.script('scripted-model', replies(reply));
    const { blocks, end } = await generate(aCall({ delivery }));
    expect(blocks).toEqual([
      { type: 'thinking', text: 'Let me see.', signature: 'scripted-signature' },
      { type: 'text', text: 'Hello 漢😀' },
      { type: 'tool-call', id: 'c1', name: 'f', argumentsJson: '{"a":1}' },
      { type: 'tool-call', id: 'c2', name: 'g', argumentsJson: '{"b":2}' },
    ]);
    expect(end).toEqual({
      stopReason: 'tool-call',
      usage: { promptTokens: 9, ...NO_PROMPT_PARTS, cachedPromptTokens: 2, outputTokens: 5, reasoningTokens: null, totalTokens: null },
    });
    expect(heard).toEqual(['answered']);
  });

  it.each<[string, Partial<AnthropicUpstream>, Readonly<Record<string, string | undefined>>]>([
    ['the header x-api-key', {}, { 'x-api-key': 'secret-key', 'authorization': undefined }],
    ['a bearer token if the upstream is configured for one', { options: { authentication: 'bearer' } }, { 'x-api-key': undefined, 'authorization': 'Bearer secret-key' }],
    ['no header if there is no key', { apiKey: null }, { 'x-api-key': undefined, 'authorization': undefined }],
  ])('sends the request to the endpoint, with the upstream’s key in %s', async (_name, differences, headers) => {
    await generate(aCall({ delivery: 'whole' }), differences);
    const [request] = upstream.requests;
    expect(request).toMatchObject({
      method: 'POST', path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', 'content-type': 'application/json', 'accept': 'application/json', 'x-request-id': 'req_1' },
      body: { model: 'scripted-model', max_tokens: 1_000, stream: false },
    });
    expect({ 'x-api-key': request?.headers['x-api-key'], 'authorization': request?.headers.authorization }).toEqual(headers);
  });

  it.each([['', '/v1/messages'], ['/', '/v1/messages'], ['/v1', '/v1/messages'], ['/v1/', '/v1/messages'], ['/anthropic', '/anthropic/v1/messages'], ['/x/v1?y=1', '/x/v1/messages?y=1']])('accepts a base URL that ends in %p', async (path, asked) => {
    await generate(aCall(), { baseUrl: `${upstream.origin}${path}` });
    expect(upstream.requests[0]?.path).toBe(asked);
  });

  it('yields each piece as soon as it arrives', async () => {
    const gate = new Gate();
    upstream.script('scripted-model', replies({ text: ['a', 'b'] }, { pauses: [{ before: 4, gate }] }));
    const stream = await providerWith().open(aCall());
    expect((await stream.next()).value).toEqual([{ type: 'block-start', index: 0, block: { type: 'text' } }, { type: 'block-delta', index: 0, delta: 'a' }]);
    gate.open();
    expect((await stream.next()).value?.[0]).toEqual({ type: 'block-delta', index: 0, delta: 'b' });
    await stream.return();
  });

  it('waits for the usage after the reply reaches a stop sequence that the server does not know', async () => {
    upstream.script('scripted-model', replies({ text: ['one tw', 'o three', ' four'], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }));
    const { blocks, end } = await generate(aCall({ request: { stopSequences: ['x', 'two'] } }), { options: { stopSequenceLimit: 1 } });
    expect(blocks).toEqual([{ type: 'text', text: 'one ' }]);
    expect(end).toMatchObject({ stopReason: 'end', usage: { promptTokens: 9, outputTokens: 4 } });
  });

  it('states the tokens of the prompt as soon as the server does', async () => {
    const gate = new Gate();
    upstream.script('scripted-model', replies({ text: ['a', 'b'], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }, { pauses: [{ before: 2, gate }] }));
    const stream = await providerWith().open(aCall());
    expect(stream.statedPrompt).toBeNull();
    const first = stream.next();
    await until(() => stream.statedPrompt !== null);
    expect(stream.statedPrompt).toEqual({ promptTokens: 9, ...NO_PROMPT_PARTS });
    gate.open();
    await first;
    await stream.return();
  });

  it('disconnects two seconds after the reply reaches a stop sequence unknown to the server, if no usage arrives', async () => {
    upstream.script('scripted-model', breaksAfter(5, 'hang', { text: ['one tw', 'o three'] }));
    const reading = generate(aCall({ request: { stopSequences: ['x', 'two'] } }), { options: { stopSequenceLimit: 1 } });
    await until(() => clock.pendingTasks === 3);
    clock.advance(2_000);
    const { blocks, end } = await reading;
    expect(blocks).toEqual([{ type: 'text', text: 'one ' }]);
    expect(end).toEqual({ stopReason: 'end', usage: null });
    expect(upstream.requests[0]?.body['stop_sequences']).toEqual(['x']);
    await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
  });

  it.each(['reset', 'end'] as const)('accepts a reply as complete if only its closing event is missing: %s', async (breakage) => {
    upstream.script('scripted-model', breaksAfter(7, breakage, { text: ['a', 'b'] }));
    expect(await generate(aCall())).toMatchObject({ blocks: [{ type: 'text', text: 'ab' }], end: { stopReason: 'end', usage: { promptTokens: 12 } } });
  });

  it('reuses a connection after a whole and after a streamed reply', async () => {
    const provider = providerWith();
    for (const delivery of [...deliveries, ...deliveries]) {
      await readStream(await provider.open(aCall({ delivery })));
      await upstream.requests.at(-1)?.ended;
      await new Promise((resolve) => { setImmediate(resolve); });
    }
    expect(await upstream.connectionCount()).toBe(1);
  });

  it.each<[string, Behaviour, { readonly kind: string; readonly reason: string }]>([
    ['hangs up before its headers', resetsBeforeHeaders(), { kind: 'unavailable', reason: 'hung-up' }],
    ['hangs up in the middle of its reply', breaksAfter(4, 'reset'), { kind: 'unavailable', reason: 'cut-off' }],
    ['ends its reply too early', breaksAfter(4, 'end'), { kind: 'unavailable', reason: 'cut-off|malformed-reply' }],
    ['reports an error in the middle of its reply', breaksAfter(4, { error: { type: 'overloaded_error', message: 'Overloaded' } }), { kind: 'unavailable', reason: 'server-error|malformed-reply' }],
    ['reports an error before any output', breaksAfter(0, { error: { type: 'overloaded_error', message: 'Overloaded' } }), { kind: 'unavailable', reason: 'server-error|malformed-reply' }],
    ['answers with half a body', answersMalformedJson(), { kind: 'unavailable', reason: 'malformed-reply' }],
    ['answers 200 with a page', answersHtml(200), { kind: 'unavailable', reason: 'cut-off|malformed-reply' }],
    ['answers 529', answersStatus(529), { kind: 'unavailable', reason: 'server-error' }],
    ['answers 500', answersStatus(500), { kind: 'unavailable', reason: 'server-error' }],
    ['answers 429', answersStatus(429), { kind: 'unavailable', reason: 'rate-limited' }],
    ['answers 401', answersStatus(401), { kind: 'unavailable', reason: 'bad-credentials' }],
    ['answers 404', answersStatus(404), { kind: 'unavailable', reason: 'model-unknown' }],
    ['answers 413', answersStatus(413), { kind: 'rejected', reason: 'refused' }],
    ['answers 400', answersStatus(400), { kind: 'rejected', reason: 'refused' }],
    ['answers 400 that its bill is not paid', answersStatus(400, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' } }),
      { kind: 'unavailable', reason: 'payment-required' }],
    ['answers 400 that the prompt is too long', answersStatus(400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } }),
      { kind: 'too-long', reason: 'context-too-long' }],
  ])('reports, with a specific reason, that the upstream %s', async (_name, behaviour, { kind, reason }) => {
    for (const delivery of deliveries) {
      upstream.script('scripted-model', behaviour);
      const failure = await failureOf(generate(aCall({ delivery })));
      expect(failure).toMatchObject({ name: 'ProviderFailure', kind, reason: expect.stringMatching(new RegExp(`^(${reason})$`)) });
      expect(heard.filter((outcome) => outcome !== 'answered')).toEqual([(failure as UpstreamFailure).reason]);
      heard = [];
    }
  });

  it('leaves no timer behind', async () => {
    await generate(aCall({ delivery: 'whole' }));
    await generate(aCall());
    await clock.advanceAsync(1_000);
    expect(clock.pendingTasks).toBe(0);
  });
});
