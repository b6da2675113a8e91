import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invariant } from '@tollgate/core';
import { patiently } from '../faults/support/patiently.js';
import { Crowd } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { compileGateway, GatewayProgram } from './support/gateway-program.js';
import { promiseSettings } from './support/promise-settings.js';
import { SHARED } from './support/set-up.js';
import { LIMITS, minutePlan, sharedCatalogue, slotsPlan } from './support/shared-catalogue.js';
import { type AskedGateways, askTogether, BalanceRounds, type Outcomes } from './support/shared-promises.js';
import { CHANGES, WATCHED_PLAN, waitForChange } from './support/watched-changes.js';

const SETTINGS = promiseSettings();
const ROUNDS = Math.ceil(SETTINGS.rounds / 10);
const STARTING_MILLISECONDS = 120_000;
const MAX_ROUNDS = 5;

/** URL of a gateway's metrics, which its log states. */
async function metricsOf(program: GatewayProgram): Promise<string> {
  const named = (): string | undefined => /"url":"([^"]+\/metrics)"/.exec(program.printed)?.[1];
  await patiently(() => named() !== undefined);
  return named() ?? '';
}

/** A fourth gateway, in this process, creates the accounts and reads the books. */
describe('three gateways in processes of their own', () => {
  let asked: AskedGateways;
  let programs: readonly GatewayProgram[] = [];
  let metrics: readonly string[] = [];
  let folder = '';

  beforeAll(async () => {
    await compileGateway();
    const deployment = await Deployment.start({ setUp: { ...SHARED, gateways: 1 }, catalogue: sharedCatalogue });
    folder = mkdtempSync(join(tmpdir(), 'tollgate-programs-'));
    programs = await Promise.all([1, 2, 3].map(() => GatewayProgram.startWithLog({ ...deployment.environment, METRICS_PORT: '0', LOG_LEVEL: 'info' }, folder)));
    metrics = await Promise.all(programs.map(metricsOf));
    asked = { deployment, urls: programs.map(({ url }) => url), crowd: new Crowd() };
  }, STARTING_MILLISECONDS);
  afterAll(async () => {
    asked.crowd.close();
    await Promise.all(programs.map((program) => program.stop()));
    await asked.deployment.close();
    rmSync(folder, { recursive: true });
  }, STARTING_MILLISECONDS);

  /** Outcomes of a round in which every gateway counted in Redis. On a busy machine Redis may not answer in time; the round is then repeated. */
  async function askSharing(planId: string): Promise<Outcomes> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = await sumOf('tollgate_limiter_fallbacks_total');
      const outcomes = await askTogether(asked, planId, SETTINGS.requests);
      if (await sumOf('tollgate_limiter_fallbacks_total') === before) return outcomes;
      await patiently(async () => await sumOf('tollgate_limiter_fallback') === 0);
    }
    throw new Error(`Redis did not answer in time in ${MAX_ROUNDS} rounds`);
  }

  async function sumOf(metric: string): Promise<number> {
    const texts = await Promise.all(metrics.map(async (url) => (await fetch(url)).text()));
    return texts.reduce((sum, text) => {
      const value = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
      invariant(value !== undefined, 'every gateway has the metric');
      return sum + Number(value);
    }, 0);
  }

  it.each(LIMITS)('admit exactly %i simultaneous requests, both by a limit per minute and by a concurrency limit', async (limit) => {
    const refused = SETTINGS.requests - limit;
    expect(await askSharing(minutePlan(limit))).toEqual({ '200': limit, '429 rate_limit_exceeded': refused });
    expect(await askSharing(slotsPlan(limit))).toEqual({ '200': limit, '429 concurrency_limit_exceeded': refused });
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
