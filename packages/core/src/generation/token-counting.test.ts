import { describe, expect, it } from '@jest/globals';
import { type ModelSlug, TokenCounting } from '@tollgate/core';
import { AT_REST, GenerationWorld } from '../test-support/generation-world.js';
import { aGenerationRequest, OneTokenPerCharacter } from '@tollgate/testkit';

async function counting() {
  const world = await GenerationWorld.create({ balance: '0.000001' });
  const service = new TokenCounting({ catalogue: world.catalogue, estimator: new OneTokenPerCharacter(), limiter: world.limiter, clock: world.clock });
  const count = (model = 'small') => service.count({ caller: world.caller, requestId: world.ids.requestId(), request: aGenerationRequest({ model }) });
  return { world, service, count };
}

describe('TokenCounting', () => {
  it('returns the estimate that a reservation would use, even if the balance covers no request', async () => {
    const { world, count } = await counting();
    expect(await count()).toMatchObject({ inputTokens: 5, quota: { requestsRemaining: 59, tokensRemaining: 200_000 } });
    expect(await world.records()).toEqual([]);
    expect(await world.available()).toBe('0.000001');
  });

  it('counts against the requests per minute and no other limit', async () => {
    const { world, count } = await counting();
    for (let counted = 0; counted < 60; counted += 1) await count();
    await expect(count()).rejects.toMatchObject({ code: 'rate_limit_exceeded', quota: { requestsRemaining: 0, tokensRemaining: 200_000 } });
    world.clock.advance(60_000);
    expect((await count()).inputTokens).toBe(5);
    world.clock.advance(60_000);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('refuses a model that does not exist or is not allowed by plan or key, and counts no request', async () => {
    const { world, service, count } = await counting();
    await expect(count('nowhere')).rejects.toMatchObject({ code: 'model_not_found' });
    const caller = { ...world.caller, plan: { ...world.caller.plan, excludedModels: new Set(['small' as ModelSlug]) } };
    await expect(service.count({ caller, requestId: world.ids.requestId(), request: aGenerationRequest() })).rejects.toMatchObject({ code: 'model_not_in_plan' });
    const bound = { ...world.caller, keyModels: new Set(['other' as ModelSlug]) };
    await expect(service.count({ caller: bound, requestId: world.ids.requestId(), request: aGenerationRequest() })).rejects.toMatchObject({ code: 'model_not_in_key' });
    expect((await count()).quota.requestsRemaining).toBe(59);
  });
});
