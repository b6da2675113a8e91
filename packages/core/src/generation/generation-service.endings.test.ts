import { describe, expect, it } from '@jest/globals';
import type { GenerationRequest, ImageBlock, ModelSlug, ReportedUsage, UserBlock } from '@tollgate/core';
import { type ChargedError, GatewayError, NO_PROMPT_PARTS, ProviderFailure, tokenCount } from '../index.js';
import { AT_REST, GenerationWorld, readAll } from '../test-support/generation-world.js';
import { aModel, aPrice, endStep, Gate, type ProviderScript, reported, textSteps } from '@tollgate/testkit';

const DOWN = new ProviderFailure('unavailable', 'the upstream is down');

function promptOf(tokens: number): Partial<GenerationRequest> {
  return { conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(tokens) }] }] } };
}

const IMAGE: ImageBlock = { type: 'image', source: { kind: 'url', url: 'https://images.example/1.png' } };

/** A prompt of 90 estimated tokens, and `count` images, every second one in a tool result. */
function withImages(count: number): Partial<GenerationRequest> {
  const { conversation } = promptOf(90);
  const images = Array.from({ length: count }, (_, number): UserBlock => (
    number % 2 === 0 ? IMAGE : { type: 'tool-result', toolCallId: 'call_1', content: [IMAGE], isError: false }));
  return { conversation: { system: [], turns: [...conversation?.turns ?? [], { role: 'user', content: images }] } };
}

function failsAfter(...pieces: readonly string[]): ProviderScript {
  return { steps: [...textSteps(...pieces), { type: 'fail', failure: DOWN }] };
}

describe('a request that its provider finishes', () => {
  it.each(['stream', 'whole'] as const)('is charged what the provider reports and ends normally (%s)', async (delivery) => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: [...textSteps('one', 'two'), endStep(reported(7, 3))] });
    const seen = await readAll(await world.generate({ delivery }));
    const end = seen.batches.flat().at(-1);
    expect(seen).toMatchObject({ text: 'onetwo', how: 'ended', failure: null });
    expect(end?.type === 'generation-end' && [end.settlement.charge.amount.toString(), end.settlement.charge.usd.toString()]).toEqual(['13', '0.0013']);
    expect(await world.ending()).toEqual(['completed', 'reported', '13']);
    expect(await world.available()).toBe('99987');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('is charged the gateway’s count if the provider’s report is missing or implausible', async () => {
    for (const usage of [null, reported(7, 1_000_000), reported(-1, 3), reported(Number.NaN, 3)]) {
      const world = await GenerationWorld.create();
      world.provider.script('small', { steps: [...textSteps('four'), endStep(usage)] });
      await readAll(await world.generate());
      expect(await world.ending()).toEqual(['completed', 'counted', '13']);
    }
  });

  it.each<readonly [name: string, report: ReportedUsage]>([
    ['a total that does not add up', { ...reported(2000, 2), totalTokens: 7 }],
    ['an output far above the maximum', reported(2000, 1_000_000)],
  ])('is charged the estimated prompt after a report of %s', async (_name, report) => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { statedPrompt: report, steps: [...textSteps('four'), endStep(report)] });
    await readAll(await world.generate());
    expect(await world.ending()).toEqual(['completed', 'counted', '13']);
  });

  it('is charged the prompt that the upstream stated if the final event reports no usage', async () => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { statedPrompt: { promptTokens: 40, ...NO_PROMPT_PARTS }, steps: [...textSteps('four'), endStep(null)] });
    await readAll(await world.generate());
    expect(await world.ending()).toEqual(['completed', 'counted', '48']);
  });

  it.each<readonly [name: string, schema: number, prompt: number, source: string]>([
    ['is charged a reported prompt that includes a schema of 10,000 tokens', 10_000, 4 * (5 + 10_000) + 2048, 'reported'],
    ['is charged the gateway’s count if the reported prompt is one token larger than the schema allows', 10_000, 4 * (5 + 10_000) + 2048 + 1, 'counted'],
  ])('%s', async (_name, ...[schema, prompt, source]) => {
    const world = await GenerationWorld.create({ balance: '200000', models: [aModel({ readsSchemas: true })] });
    world.provider.script('small', { steps: [...textSteps('four'), endStep(reported(prompt, 2))] });
    const value = { title: 'x'.repeat(schema - '{"title":""}'.length) };
    const outputSchema = { name: null, description: null, strict: null, schema: { value, text: JSON.stringify(value) } };
    await readAll(await world.generate({ request: { responseFormat: 'json', outputSchema } }));
    expect(await world.ending()).toEqual(['completed', source, String(source === 'reported' ? prompt + 2 * 2 : 5 + schema + 2 * 4)]);
  });

  it.each<readonly [name: string, images: number, prompt: number, source: string]>([
    ['is charged a reported prompt of up to 4 × the estimate plus 2,048 tokens', 0, 4 * 90 + 2048, 'reported'],
    ['is charged the gateway’s count if the reported prompt is one token larger than that', 0, 4 * 90 + 2048 + 1, 'counted'],
    ['is charged a reported prompt that is up to 8,192 tokens larger for each image', 2, 4 * 90 + 2048 + 2 * 8192, 'reported'],
    ['is charged the gateway’s count if the reported prompt is one token larger than the images allow', 2, 4 * 90 + 2048 + 2 * 8192 + 1, 'counted'],
    ['is charged the gateway’s count if 100,000 tokens are reported for 90 characters', 0, 100_000, 'counted'],
  ])('%s', async (_name, ...[images, prompt, source]) => {
    const world = await GenerationWorld.create({ balance: '200000' });
    world.provider.script('small', { steps: [...textSteps('four'), endStep(reported(prompt, 2))] });
    await readAll(await world.generate({ request: withImages(images) }));
    expect(await world.ending()).toEqual(['completed', source, String(source === 'reported' ? prompt + 2 * 2 : 90 + 2 * 4)]);
  });

  it('names the fallback as the serving model in reply and record, and is charged at the fallback’s price', async () => {
    const fallback = aModel({ slug: 'dear' as ModelSlug, price: aPrice('10', '1', '12', '20') });
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['dear' as ModelSlug] }), fallback] });
    world.provider.script('small', { refuses: DOWN, steps: [] });
    world.provider.script('dear', { steps: [...textSteps('ok'), endStep(reported(5, 2))] });
    const generation = await world.generate();
    expect([generation.servedBy, generation.fallbackUsed]).toEqual(['dear', true]);
    await readAll(generation);
    const record = await world.onlyRecord();
    expect([record.requestedModel, record.service?.servedBy, record.service?.fallbackUsed, record.charge.amount.toString()]).toEqual(['small', 'dear', true, '90']);
    expect(world.observer.candidateFailures.map(({ model }) => model.slug)).toEqual(['small']);
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('a request whose provider fails', () => {
  it('after the first output, ends its stream with an error and is charged the delivered output', async () => {
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['other' as ModelSlug] }), aModel({ slug: 'other' as ModelSlug })] });
    world.provider.script('small', failsAfter('abc', 'de'));
    world.provider.script('other', { steps: [...textSteps('never'), endStep(null)] });
    const seen = await readAll(await world.generate());
    expect(seen).toMatchObject({ text: 'abcde', how: 'broken-off', failure: { code: 'provider_unavailable' } });
    expect((seen.failure as GatewayError).message).not.toContain('down');
    expect((seen.failure as ChargedError).charged.settlement.charge.amount.toString()).toBe('15');
    expect(await world.ending()).toEqual(['provider_failed', 'counted', '15']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('ends its stream with an error if the provider stops without an end event', async () => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: textSteps('abc') });
    expect(await readAll(await world.generate())).toMatchObject({ text: 'abc', how: 'broken-off' });
    expect(await world.ending()).toEqual(['provider_failed', 'counted', '11']);
  });

  it('in the middle of a whole reply, is served by the next candidate and pays nothing for the failed one', async () => {
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['other' as ModelSlug] }), aModel({ slug: 'other' as ModelSlug })] });
    world.provider.script('small', failsAfter('abc', 'de'));
    world.provider.script('other', { steps: [...textSteps('fine'), endStep(reported(5, 1))] });
    const reply = await world.generateWhole();
    expect(reply).toMatchObject({ servedBy: 'other', fallbackUsed: true, blocks: [{ type: 'text', text: 'fine' }] });
    expect(await world.ending()).toEqual(['completed', 'reported', '7']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each(['stream', 'whole'] as const)('before any output and without a fallback, gets a 503, is free, and counts only towards the limit of requests (%s)', async (delivery) => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { refuses: DOWN, steps: [] });
    const refusal = await world.generate({ delivery }).catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ code: 'provider_unavailable', quota: { requestsRemaining: 59, tokensRemaining: 200_000 } });
    expect(await world.ending()).toEqual(['provider_unavailable', 'counted', '0']);
    expect(await world.available()).toBe('100000');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('in the middle of a whole reply and without a fallback, gets a 503 and is free', async () => {
    const world = await GenerationWorld.create();
    world.provider.script('small', failsAfter('abc'));
    await expect(world.generate({ delivery: 'whole' })).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await world.ending()).toEqual(['provider_unavailable', 'counted', '0']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each([
    ['rejected', 'invalid_request'],
    ['too-long', 'context_length_exceeded'],
  ] as const)('by refusing the request itself (%s), gets a client error, starts no fallback and is free', async (kind, code) => {
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['other' as ModelSlug] }), aModel({ slug: 'other' as ModelSlug })] });
    world.provider.script('small', { refuses: new ProviderFailure(kind, 'secret text of the upstream'), steps: [] });
    const refusal = await world.generate().catch((thrown: unknown) => thrown) as GatewayError;
    expect(refusal.code).toBe(code);
    expect(refusal.message).not.toContain('secret');
    expect(world.provider.calls).toHaveLength(1);
    expect(await world.ending()).toEqual(['request_rejected', 'counted', '0']);
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('a client that disconnects', () => {
  it('before an upstream accepts the request, pays nothing', async () => {
    const world = await GenerationWorld.create();
    const leaving = new AbortController();
    world.provider.script('small', { opensAfter: new Gate(), steps: [] });
    const pending = world.generate({ signal: leaving.signal });
    leaving.abort();
    await expect(pending).rejects.toBeInstanceOf(GatewayError);
    expect(await world.ending()).toEqual(['client_left', 'counted', '0']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each(['stream', 'whole'] as const)('after an upstream accepts the request and before any output, pays for the prompt (%s)', async (delivery) => {
    const world = await GenerationWorld.create();
    const leaving = new AbortController();
    world.provider.script('small', { steps: [{ type: 'hang' }] });
    const pending = world.generate({ delivery, signal: leaving.signal });
    await world.clock.advanceAsync(1);
    leaving.abort();
    await expect(pending).rejects.toBeInstanceOf(GatewayError);
    expect(await world.ending()).toEqual(['client_left', 'counted', '5']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('from a whole reply, pays only for the prompt, however much output was generated', async () => {
    const world = await GenerationWorld.create();
    const leaving = new AbortController();
    world.provider.script('small', { steps: [...textSteps('abcdef'), { type: 'hang' }] });
    const pending = world.generate({ delivery: 'whole', signal: leaving.signal });
    await world.clock.advanceAsync(1);
    leaving.abort();
    await expect(pending).rejects.toBeInstanceOf(GatewayError);
    expect(await world.ending()).toEqual(['client_left', 'counted', '5']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each(['stream', 'whole'] as const)('is charged the prompt that the upstream stated, not the estimate (%s)', async (delivery) => {
    const world = await GenerationWorld.create();
    const leaving = new AbortController();
    world.provider.script('small', { statedPrompt: { promptTokens: 40, ...NO_PROMPT_PARTS, cachedPromptTokens: 10 }, steps: [{ type: 'hang' }] });
    const pending = world.generate({ delivery, signal: leaving.signal });
    await world.clock.advanceAsync(1);
    leaving.abort();
    await expect(pending).rejects.toBeInstanceOf(GatewayError);
    expect(await world.ending()).toEqual(['client_left', 'counted', String(30 + 10 * 0.1)]);
    expect((await world.onlyRecord()).usage).toMatchObject({ uncachedPromptTokens: 30, cachedPromptTokens: 10 });
  });

  it.each([
    ['too large', { promptTokens: 100_000, ...NO_PROMPT_PARTS }],
    ['zero', { promptTokens: 0, ...NO_PROMPT_PARTS }],
    ['less than its cached part', { promptTokens: 9, ...NO_PROMPT_PARTS, cachedPromptTokens: 10 }],
  ])('is charged the estimate if the prompt token count that the upstream stated is %s', async (_name, statedPrompt) => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { statedPrompt, steps: [...textSteps('abc'), { type: 'hang' }] });
    const { events } = await world.generate();
    await events.next();
    await events.return();
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
  });

  it('starts no fallback by disconnecting', async () => {
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['other' as ModelSlug] }), aModel({ slug: 'other' as ModelSlug })] });
    const leaving = new AbortController();
    world.provider.script('small', { steps: [{ type: 'hang' }] });
    world.provider.script('other', { steps: [endStep(null)] });
    const pending = world.generate({ signal: leaving.signal });
    await world.clock.advanceAsync(1);
    leaving.abort();
    await expect(pending).rejects.toBeInstanceOf(GatewayError);
    expect(world.provider.calls).toHaveLength(1);
  });
});

describe('a service that stops', () => {
  it('before the first output, charges nothing', async () => {
    const world = await GenerationWorld.create();
    const stopping = new AbortController();
    world.provider.script('small', { steps: [{ type: 'hang' }] });
    const pending = world.generate({ signal: stopping.signal });
    await world.clock.advanceAsync(1);
    stopping.abort('shutdown');
    await expect(pending).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await world.ending()).toEqual(['shutdown', 'counted', '0']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('in the middle of a stream, ends it with an error and charges the delivered output', async () => {
    const world = await GenerationWorld.create();
    const stopping = new AbortController();
    world.provider.script('small', { steps: [...textSteps('abc'), { type: 'hang' }] });
    const reading = readAll(await world.generate({ signal: stopping.signal }));
    await world.clock.advanceAsync(1);
    stopping.abort('shutdown');
    expect(await reading).toMatchObject({ text: 'abc', how: 'broken-off', failure: { code: 'provider_unavailable', message: 'The service is restarting. Please try again.' } });
    expect(await world.ending()).toEqual(['shutdown', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('the call to a provider', () => {
  it.each([
    ['a whole reply that its reservation covers', 'whole', 'whole', 4096],
    ['a whole reply that may outgrow its reservation', 'stream', 'whole', 4097],
    ['a stream', 'stream', 'stream', 10],
  ] as const)('for %s has the delivery %s', async (_name, upstream, delivery, maximum) => {
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: [...textSteps('a'), endStep(reported(5, 1))] });
    await readAll(await world.generate({ delivery, request: { maxOutputTokens: tokenCount(maximum) } }));
    expect(world.provider.calls[0]).toMatchObject({ delivery: upstream, maxOutputTokens: maximum });
  });

  it('requests no more output from a fallback than its smaller context window has room for', async () => {
    const narrow = aModel({ slug: 'narrow' as ModelSlug, contextWindowTokens: tokenCount(1000), maxOutputTokens: tokenCount(900) });
    const world = await GenerationWorld.create({ models: [aModel({ fallbacks: ['narrow' as ModelSlug] }), narrow] });
    world.provider.script('small', { refuses: DOWN, steps: [] });
    world.provider.script('narrow', { steps: [...textSteps('a'), endStep(reported(30, 1))] });
    await readAll(await world.generate({ request: promptOf(30) }));
    expect(world.provider.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8192, 1000 - 30 - 4 - 256]);
  });

  it('requests the client’s maximum, or else 256 tokens, if the prompt nearly fills the context window', async () => {
    const narrow = aModel({ contextWindowTokens: tokenCount(2048), maxOutputTokens: tokenCount(2048) });
    const world = await GenerationWorld.create({ models: [narrow] });
    world.provider.script('small', { steps: [...textSteps('a'), endStep(reported(1857, 8))] });
    await readAll(await world.generate({ request: { ...promptOf(2047), maxOutputTokens: tokenCount(8) } }));
    expect(await world.ending()).toEqual(['completed', 'reported', String(1857 + 2 * 8)]);
    world.provider.script('small', { refuses: new ProviderFailure('too-long', 'secret text of the upstream'), steps: [] });
    await expect(world.generate({ request: promptOf(2047) })).rejects.toMatchObject({
      code: 'context_length_exceeded', overflow: { kind: 'reply', promptTokens: 2047, outputTokens: 256, windowTokens: 2048 },
    });
    expect(world.provider.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8, 256]);
  });
});
