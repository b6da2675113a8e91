import { describe, expect, it } from '@jest/globals';
import { GenerationEstimates, type GenerationRequest, type ModelSlug, parsePriceFactor, type PriceListId, tokenCount } from '@tollgate/core';
import { AT_REST, GenerationWorld } from '../test-support/generation-world.js';
import { aGenerationRequest, Gate, OneTokenPerCharacter, textSteps } from '@tollgate/testkit';

function contentsOf({ catalogue }: GenerationWorld) {
  const { models, plans, usdPerServiceToken, minimumReservation } = catalogue.current();
  return { models, plans, usdPerServiceToken, minimumReservation };
}

async function estimating(balance: string) {
  const world = await GenerationWorld.create({ balance });
  const service = new GenerationEstimates({ catalogue: world.catalogue, estimator: new OneTokenPerCharacter(), ledger: world.store.ledger, clock: world.clock });
  const estimate = (request: Partial<GenerationRequest> = {}, access = world.caller) => service.estimate({ ...access, request: aGenerationRequest(request) });
  return { world, estimate };
}

describe('GenerationEstimates', () => {
  it('use the prices of the account’s price list', async () => {
    const { world, estimate } = await estimating('10000');
    const partners = 'partners' as PriceListId;
    world.catalogue.replace({ ...contentsOf(world), priceLists: [{ id: partners, name: 'Partners', entries: [{ from: null, factor: parsePriceFactor('0.5'), rates: new Map() }] }] });
    const { reserved } = await estimate({ maxOutputTokens: tokenCount(2000) }, { ...world.caller, account: { ...world.caller.account, priceList: partners } });
    expect(reserved.amount.toString()).toBe('2002.5');
  });

  /** The prompt `Hello` costs 5, an output token 2; the floor covers 256 output tokens. */
  it.each<readonly [balance: string, reserved: string]>([['10000', '4005'], ['4005', '4005'], ['4004.999999', '4004.999999'], ['517', '517']])(
    'with a balance of %s state the amount %s that sending the request reserves', async (balance, reserved) => {
      const { world, estimate } = await estimating(balance);
      const request = { maxOutputTokens: tokenCount(2000) };
      const estimated = await estimate(request);
      expect([estimated.reserved.amount.toString(), estimated.isCovered]).toEqual([reserved, true]);
      expect([await world.available(), await world.reserved()]).toEqual([balance, '0']);
      const gate = new Gate();
      world.provider.script('small', { steps: [...textSteps('Hi').slice(0, 1), { type: 'wait', gate }] });
      const { events } = await world.generate({ request });
      expect(await world.reserved()).toBe(reserved);
      gate.open();
      await events.return();
      world.clock.advance(60_000);
      expect(await world.atRest()).toEqual(AT_REST);
    });

  it('state the required minimum if the balance is too low', async () => {
    const { world, estimate } = await estimating('516.999999');
    const { isCovered, reserved } = await estimate({ maxOutputTokens: tokenCount(2000) });
    expect([isCovered, reserved.amount.toString()]).toEqual([false, '517']);
    await expect(world.generate({ request: { maxOutputTokens: tokenCount(2000) } })).rejects.toMatchObject({ code: 'insufficient_balance' });
  });

  it('state the model tokens of prompt and output, and the amount in service tokens and in US dollars', async () => {
    const { estimate } = await estimating('100000');
    const { model, promptTokens, expectedOutputTokens, maxOutputTokens, reserved } = await estimate({ maxOutputTokens: tokenCount(6000) });
    expect([model.slug, promptTokens, expectedOutputTokens, maxOutputTokens]).toEqual(['small', 5, 4096, 6000]);
    expect([reserved.amount.toString(), reserved.usd.toString()]).toEqual(['8197', '0.8197']);
  });

  it('refuse what sending refuses: unknown models, models outside the plan, and requests above the context window', async () => {
    const { world, estimate } = await estimating('1000');
    await expect(estimate({ model: 'nowhere' })).rejects.toMatchObject({ code: 'model_not_found' });
    const plan = { ...world.caller.plan, excludedModels: new Set(['small' as ModelSlug]) };
    await expect(estimate({}, { ...world.caller, plan })).rejects.toMatchObject({ code: 'model_not_in_plan' });
    await expect(estimate({ maxOutputTokens: tokenCount(200_000) })).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });
});
