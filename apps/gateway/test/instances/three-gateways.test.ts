import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { services } from '../../src/composition/services.js';
import { LimiterHealth } from '../../src/observability/limiter-health.js';
import { Crowd } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { LIMITS, minutePlan, sharedCatalogue, slotsPlan } from './support/shared-catalogue.js';
import { promiseSettings, say } from './support/promise-settings.js';
import { SHARED } from './support/set-up.js';
import { type AskedGateways, askTogether, BalanceRounds } from './support/shared-promises.js';

const SETTINGS = promiseSettings();
/** Time limit for 100 rounds of 1,000 requests on a busy machine. */
const RUN_MILLISECONDS = 1_800_000;

describe('three gateways over one PostgreSQL and one Redis', () => {
  let asked: AskedGateways;

  beforeAll(async () => {
    const deployment = await Deployment.start({ setUp: SHARED, catalogue: sharedCatalogue });
    asked = { deployment, urls: deployment.gateways.map(({ url }) => url), crowd: new Crowd() };
  }, 60_000);
  afterAll(async () => {
    asked.crowd.close();
    await asked.deployment.close();
  });

  it.each(LIMITS)('admit exactly %i simultaneous requests if that is the limit per minute', async (limit) => {
    expect(await askTogether(asked, minutePlan(limit), SETTINGS.requests)).toEqual({
      '200': limit, '429 rate_limit_exceeded': SETTINGS.requests - limit,
    });
  }, 60_000);

  it.each(LIMITS)('run exactly %i simultaneous requests if that is the number of slots', async (limit) => {
    expect(await askTogether(asked, slotsPlan(limit), SETTINGS.requests)).toEqual({
      '200': limit, '429 concurrency_limit_exceeded': SETTINGS.requests - limit,
    });
    expect(asked.deployment.gateways.map(({ container }) => container.get(services.limiter).heldSlots)).toEqual([0, 0, 0]);
  }, 60_000);

  it(`serve exactly as many of ${SETTINGS.requests} simultaneous requests as the balance pays for, ${SETTINGS.rounds} times (seed ${SETTINGS.seed})`, async () => {
    const rounds = new BalanceRounds(asked, SETTINGS.seed);
    await rounds.prepare();
    const startedAt = performance.now();
    for (let round = 1; round <= SETTINGS.rounds; round += 1) {
      const { worth, rest, ...spent } = await rounds.spend(SETTINGS.requests);
      expect({ round, ...spent }).toEqual({
        round, outcomes: { '200': worth, '402 insufficient_balance': SETTINGS.requests - worth },
        upstreamCalls: worth, usageRecords: worth, reserved: '0', available: rest,
      });
      if (round % 10 === 0) say(SETTINGS, `${round} of ${SETTINGS.rounds} balances spent in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
  }, RUN_MILLISECONDS);

  it('still count limits together at the end', () => {
    expect(asked.deployment.gateways.map(({ container }) => container.get(LimiterHealth).isLocal)).toEqual([false, false, false]);
  });

  it('leave a ledger without differences', async () => {
    expect(await asked.deployment.differences()).toEqual([]);
  }, 60_000);
});
