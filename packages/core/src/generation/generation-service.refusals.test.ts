import { describe, expect, it } from '@jest/globals';
import {
  type ApiKeyId, type GatewayError, type KeyLimit, later, type ModelSlug, ProviderFailure, ServiceTokens, STANDARD_PLANS, SYSTEM_ACTOR, tokenCount,
} from '../index.js';
import { type AskOptions, AT_REST, GenerationWorld, readAll, type WorldOptions } from '../test-support/generation-world.js';
import { aModel, anAccount, endStep, Gate, reported, textSteps } from '@tollgate/testkit';

const [PAYG = (() => { throw new Error('there are plans'); })()] = STANDARD_PLANS;

function plan(limits: Partial<typeof PAYG.limits>, excluded: readonly string[] = []): typeof PAYG {
  return { ...PAYG, limits: { ...PAYG.limits, ...limits }, excludedModels: new Set(excluded as readonly ModelSlug[]) };
}

async function refusal(ask: AskOptions, options: WorldOptions = {}): Promise<{ readonly world: GenerationWorld; readonly error: GatewayError }> {
  const world = await GenerationWorld.create(options);
  world.provider.script('small', { steps: [...textSteps('a'), endStep(reported(5, 1))] });
  const error = await world.generate(ask).then(() => { throw new Error('the request was served'); }, (thrown: unknown) => thrown as GatewayError);
  return { world, error };
}

function promptOf(tokens: number): AskOptions['request'] {
  return { conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(tokens) }] }] } };
}

describe('a request that is refused', () => {
  const everythingWrong = {
    ...promptOf(120_000),
    model: 'nowhere',
  };

  it.each<readonly [code: string, ask: AskOptions, options: WorldOptions]>([
    ['model_not_found', { request: everythingWrong, plan: plan({ requestsPerMinute: 0 }, ['small']) }, { balance: '0.000001' }],
    ['model_not_in_plan', { request: { ...everythingWrong, model: 'small' }, plan: plan({ requestsPerMinute: 0 }, ['small']) }, { balance: '0.000001' }],
    ['model_not_in_key', { request: { ...everythingWrong, model: 'small' }, plan: plan({ requestsPerMinute: 0 }), keyModels: new Set(['other' as ModelSlug]) }, { balance: '0.000001' }],
    ['context_length_exceeded', { request: { ...everythingWrong, model: 'small' }, plan: plan({ requestsPerMinute: 0 }) }, { balance: '0.000001' }],
    ['rate_limit_exceeded', { plan: plan({ requestsPerMinute: 0, tokensPerMinute: tokenCount(0), concurrentRequests: 0, tokensPerDay: tokenCount(0) }) }, { balance: '0.000001' }],
    ['tokens_per_minute_exceeded', { plan: plan({ tokensPerMinute: tokenCount(0), concurrentRequests: 0, tokensPerDay: tokenCount(0) }) }, { balance: '0.000001' }],
    ['concurrency_limit_exceeded', { plan: plan({ concurrentRequests: 0, tokensPerDay: tokenCount(0), tokensPerMonth: tokenCount(0) }) }, { balance: '0.000001' }],
    ['daily_limit_exceeded', { plan: plan({ tokensPerDay: tokenCount(0), tokensPerMonth: tokenCount(0) }) }, { balance: '0.000001' }],
    ['monthly_limit_exceeded', { plan: plan({ tokensPerMonth: tokenCount(0) }) }, { balance: '0.000001' }],
    ['api_key_limit_exceeded', { keyLimit: { lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('0.000001'), period: 'day' } }, { balance: '0.000001' }],
    ['insufficient_balance', {}, { balance: '0.000001' }],
  ])('reports its first fault (%s), costs nothing, leaves no record and calls no upstream', async (code, ask, options) => {
    const { world, error } = await refusal(ask, options);
    expect(error.code).toBe(code);
    expect(await world.records()).toEqual([]);
    expect(world.provider.calls).toEqual([]);
    expect(await world.available()).toBe('0.000001');
    expect(await world.atRest()).toEqual(AT_REST);
    const quota = await world.limiter.quota(world.account.id, { limits: PAYG.limits, incident: null });
    expect([quota.requestsRemaining, quota.tokensRemaining]).toEqual([60, 200_000]);
  });

  it('for an insufficient balance, states the required and the available amount, and counts towards no limit', async () => {
    const { error } = await refusal({ request: { maxOutputTokens: tokenCount(10) } }, { balance: '24.5' });
    expect(error.message).toBe('This request needs at least 25 service tokens set aside, but only 24.5 are available.');
    expect(error.quota).toMatchObject({ requestsRemaining: 60, tokensRemaining: 200_000 });
  });

  it('because of its key’s limit, states when to retry, and is served once the day is over', async () => {
    const keyLimit: KeyLimit = { lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('26'), period: 'day' };
    const ask = { keyLimit, request: { maxOutputTokens: tokenCount(10) } };
    const world = await GenerationWorld.create();
    world.provider.script('small', { steps: [...textSteps('a'), endStep(reported(5, 1))] });
    await readAll(await world.generate(ask));
    const error = await world.generate(ask).catch((thrown: unknown) => thrown as GatewayError);
    const toMidnight = 12 * 3600;
    expect(error).toMatchObject({ code: 'api_key_limit_exceeded', retryAfterSeconds: toMidnight, isPermanent: false, quota: { requestsRemaining: 59 } });
    expect((error as GatewayError).message).toContain('19 of 26 service tokens a day (UTC) are left, and this request needs at least 25');
    world.clock.advance(toMidnight * 1000 - 1);
    await expect(world.generate(ask)).rejects.toMatchObject({ code: 'api_key_limit_exceeded', retryAfterSeconds: 1 });
    world.clock.advance(1);
    expect((await readAll(await world.generate(ask))).how).toBe('ended');
    expect((await readAll(await world.generate({ ...ask, keyLimit: { ...keyLimit, lineage: 'key_2' as ApiKeyId } }))).how).toBe('ended');
  });

  it('because of a limit of the plan, states the limits of the plan and the retry delay', async () => {
    const { error } = await refusal({ plan: plan({ tokensPerMinute: tokenCount(10) }) });
    expect(error).toMatchObject({ code: 'tokens_per_minute_exceeded', quota: { tokensLimit: 10 } });
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error.message).toContain('can never fit');
  });

  it.each<readonly [what: string, waits: readonly (number | undefined)[], retryAfterSeconds: number | null]>([
    ['both with a delay', [8, 5], 5],
    ['only one with a delay', [8, undefined], null],
    ['neither with a delay', [undefined, undefined], null],
  ])('because two candidates are unavailable (%s), states the shorter retry delay if both have one', async (_, waits, retryAfterSeconds) => {
    const [first, second] = ['first' as ModelSlug, 'second' as ModelSlug] as const;
    const world = await GenerationWorld.create({ models: [aModel({ slug: first, fallbacks: [second] }), aModel({ slug: second })] });
    for (const [index, wait] of waits.entries()) {
      const refuses = new ProviderFailure('unavailable', 'closed', wait === undefined ? {} : { retryAfterSeconds: wait });
      world.provider.script(index === 0 ? first : second, { refuses, steps: [] });
    }
    const error = await world.generate({ request: { model: 'first' } }).catch((thrown: unknown) => thrown as GatewayError);
    expect(error).toMatchObject({ code: 'provider_unavailable', retryAfterSeconds, quota: { requestsRemaining: 59 } });
  });

  it('because of an incident limit of the model, is served once the limit has expired', async () => {
    const world = await GenerationWorld.create();
    const limit = { model: 'small' as ModelSlug, setAt: world.clock.now(), requestsPerMinute: 0, tokensPerMinute: null, concurrentRequests: null, expiresAt: later(world.clock.now(), 1000) };
    await world.store.platform.setIncidentLimit(limit, { actor: SYSTEM_ACTOR, at: world.clock.now() });
    world.provider.script('small', { steps: [...textSteps('a'), endStep(reported(5, 1))] });
    await expect(world.generate()).rejects.toMatchObject({ code: 'rate_limit_exceeded', quota: { requestsLimit: 0 } });
    world.clock.advance(1000);
    expect((await readAll(await world.generate())).how).toBe('ended');
  });
});

describe('simultaneous requests of one account', () => {
  it('are served as long as the balance covers them, 7 of 50, and what is left stays available', async () => {
    const business = STANDARD_PLANS.at(-1) ?? PAYG;
    const world = await GenerationWorld.create({ balance: '175.5' });
    const gate = new Gate();
    world.provider.script('small', { steps: [...textSteps('0123456789'), { type: 'wait', gate }, endStep(reported(5, 10))] });
    const ask = { plan: business, request: { maxOutputTokens: tokenCount(10) } };
    const asked = Promise.allSettled(Array.from({ length: 50 }, () => world.generate(ask).then(readAll)));
    await world.clock.advanceAsync(0);
    expect(await world.available()).toBe('0.5');
    gate.open();
    const results = await asked;
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as GatewayError).code] : []));
    expect(codes).toEqual(Array.from({ length: 43 }, () => 'insufficient_balance'));
    expect(await world.available()).toBe('0.5');
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('an account whose plan is no longer in the catalogue', () => {
  it('is subject to the plan pay-as-you-go', async () => {
    const world = await GenerationWorld.create();
    const orphan = anAccount({ planId: 'long-gone' as typeof PAYG.id });
    expect(world.catalogue.current().planInForce(orphan.planId)).toBe(PAYG);
  });
});
