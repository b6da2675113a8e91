import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Crowd } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { compileGateway, GatewayProgram } from './support/gateway-program.js';
import { promiseSettings } from './support/promise-settings.js';
import { SHARED } from './support/set-up.js';
import { LIMITS, minutePlan, sharedCatalogue, slotsPlan } from './support/shared-catalogue.js';
import { type AskedGateways, askTogether, BalanceRounds } from './support/shared-promises.js';
import { CHANGES, WATCHED_PLAN, waitForChange } from './support/watched-changes.js';

const SETTINGS = promiseSettings();
const ROUNDS = Math.ceil(SETTINGS.rounds / 10);
const STARTING_MILLISECONDS = 120_000;

/** A fourth gateway in this process creates accounts and reads the books. */
describe('three gateways in processes of their own', () => {
  let asked: AskedGateways;
  let programs: readonly GatewayProgram[] = [];
  let folder = '';

  beforeAll(async () => {
    await compileGateway();
    const deployment = await Deployment.start({ setUp: { ...SHARED, gateways: 1 }, catalogue: sharedCatalogue });
    folder = mkdtempSync(join(tmpdir(), 'tollgate-programs-'));
    programs = await Promise.all([1, 2, 3].map(() => GatewayProgram.start(deployment.environment, folder)));
    asked = { deployment, urls: programs.map(({ url }) => url), crowd: new Crowd() };
  }, STARTING_MILLISECONDS);
  afterAll(async () => {
    asked.crowd.close();
    await Promise.all(programs.map((program) => program.stop()));
    await asked.deployment.close();
    rmSync(folder, { recursive: true });
  }, STARTING_MILLISECONDS);

  it.each(LIMITS)('admit exactly %i simultaneous requests, by the limit per minute and by that of concurrent requests', async (limit) => {
    const refused = SETTINGS.requests - limit;
    expect(await askTogether(asked, minutePlan(limit), SETTINGS.requests)).toEqual({ '200': limit, '429 rate_limit_exceeded': refused });
    expect(await askTogether(asked, slotsPlan(limit), SETTINGS.requests)).toEqual({ '200': limit, '429 concurrency_limit_exceeded': refused });
  }, 60_000);

  it(`serve exactly as many of ${SETTINGS.requests} simultaneous requests as the balance pays for, ${ROUNDS} times`, async () => {
    const rounds = new BalanceRounds(asked, SETTINGS.seed);
    await rounds.prepare();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { worth, rest, ...spent } = await rounds.spend(SETTINGS.requests);
      expect({ round, ...spent }).toEqual({
        round, outcomes: { '200': worth, '402 insufficient_balance': SETTINGS.requests - worth },
        upstreamCalls: worth, usageRecords: worth, reserved: '0', available: rest,
      });
    }
    expect(await asked.deployment.differences()).toEqual([]);
  }, 300_000);

  it.each(CHANGES)('learn within a second that $name', async (change) => {
    const caller = await asked.deployment.addCaller({ planId: WATCHED_PLAN, credit: '1' });
    expect(await waitForChange(asked, caller, change)).toBeLessThan(1000);
  }, 60_000);
});
