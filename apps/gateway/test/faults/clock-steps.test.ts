import { describe, expect, it } from '@jest/globals';
import { type Instant, instant, tokenCount } from '@tollgate/core';
import { services } from '../../src/composition/services.js';
import { patiently } from './support/patiently.js';
import { ask, type Outcome } from './support/ask.js';
import { atTheSameTime } from './support/at-the-same-time.js';
import { assertSound } from './support/assert-sound.js';
import { type FaultDatabase, makeFaultSqlite, startFaultPostgres } from './support/fault-database.js';
import { FaultWorld, type FaultWorldOptions } from './support/fault-world.js';
import { SteppedClock } from './support/stepped-clock.js';

interface Deployment {
  readonly name: string;
  readonly gateways: number;
  /** True if leases and deadlines depend on the gateway's clock, not on the database's. */
  readonly judgesByGateway: boolean;
  readonly open: () => Promise<FaultDatabase>;
}

const DEPLOYMENTS: readonly Deployment[] = [
  { name: 'a gateway on SQLite', gateways: 1, judgesByGateway: true, open: () => Promise.resolve(makeFaultSqlite()) },
  { name: 'one of two gateways on PostgreSQL', gateways: 2, judgesByGateway: false, open: startFaultPostgres },
];

const TEST_MILLISECONDS = 240_000;
const LAST_MINUTE = instant(Date.UTC(2026, 0, 31, 23, 59, 0));
const NEXT_MONTH = instant(Date.UTC(2026, 1, 1, 0, 1, 0));
const DAY_BEFORE = instant(Date.UTC(2026, 0, 30, 12, 0, 0));
/** A limit under which two requests fit and a third does not: each reserves 102 tokens and uses 37. */
const ROOM_FOR_TWO = tokenCount(2 * 37 + 101);

async function withWorld({ open, gateways }: Deployment, options: Pick<FaultWorldOptions, 'limits'>, test: (world: FaultWorld, clock: SteppedClock) => Promise<void>): Promise<void> {
  const clock = new SteppedClock(LAST_MINUTE);
  const world = await FaultWorld.start({
    database: await open(), gateways, clock: (number) => (number === 0 ? clock : new SteppedClock(LAST_MINUTE)), ...options,
  });
  try {
    await test(world, clock);
  } finally {
    await world.close();
  }
}

/** Sends requests to the gateway whose clock is set, until one is refused. */
async function askUntilRefused(world: FaultWorld): Promise<{ readonly served: readonly Outcome[]; readonly refused: Outcome }> {
  const served: Outcome[] = [];
  for (;;) {
    const outcome = await ask({ url: world.first.url, key: world.caller.key, model: 'small', number: served.length });
    if (outcome.status !== 200) return { served, refused: outcome };
    served.push(outcome);
  }
}

async function daysOf(world: FaultWorld): Promise<Readonly<Record<string, number>>> {
  const rows = await world.options.database.rows('select day, count(*) as n from ledger_entries where request_id is not null group by day order by day');
  return Object.fromEntries(rows.map(({ day, n }) => [String(day), Number(n)]));
}

describe('when the clock is set', () => {
  it('past midnight and back, the daily cap applies to each day, and each charge is booked on one day', async () => {
    await atTheSameTime(DEPLOYMENTS, async (place) => {
      await withWorld(place, { limits: { tokensPerDay: ROOM_FOR_TWO, tokensPerMonth: tokenCount(3 * ROOM_FOR_TWO) } }, async (world, clock) => {
        const told: (readonly [served: number, code: string | null, secondsToWait: boolean])[] = [];
        const outcomes: Outcome[] = [];
        const steps: readonly Instant[] = [LAST_MINUTE, NEXT_MONTH, LAST_MINUTE, DAY_BEFORE, NEXT_MONTH];
        for (const step of steps) {
          clock.set(step);
          const { served, refused } = await askUntilRefused(world);
          told.push([served.length, refused.code, Number(refused.retryAfter) > 0]);
          outcomes.push(...served);
        }
        expect(told.map(([served, code]) => [served, code])).toEqual([
          [2, 'daily_limit_exceeded'], [2, 'daily_limit_exceeded'], [0, 'daily_limit_exceeded'], [2, 'daily_limit_exceeded'], [0, 'daily_limit_exceeded'],
        ]);
        expect(told.every(([, , waits]) => waits)).toBe(true);
        expect(await daysOf(world)).toEqual({ '2026-01-30': 2, '2026-01-31': 2, '2026-02-01': 2 });
        expect((await world.auditor.ledgerAudit.verify()).differences).toEqual([]);
      });
    });
  }, TEST_MILLISECONDS);

  it('past the end of a month and back during requests, each is charged once, on one day, as its receipt says', async () => {
    await atTheSameTime(DEPLOYMENTS, async (place) => {
      await withWorld(place, {}, async (world, clock) => {
        const outcomes: Outcome[] = [];
        for (const step of [NEXT_MONTH, LAST_MINUTE, DAY_BEFORE]) {
          world.hold();
          const calls = world.provider.calls.length;
          const running = world.urls.flatMap((url) => world.askAllWays('halting', url));
          await patiently(() => world.provider.calls.length === calls + running.length);
          clock.set(step);
          world.release();
          outcomes.push(...await Promise.all(running));
        }
        expect(outcomes.filter(({ status, code, debited }) => status !== 200 || code !== null || debited !== '0.072')).toEqual([]);
        await assertSound(world, outcomes);
      });
    });
  }, TEST_MILLISECONDS);

  it('past the end of all leases, running requests are served completely and charged once, if need be by a late charge', async () => {
    await atTheSameTime(DEPLOYMENTS, async (place) => {
      await withWorld(place, {}, async (world, clock) => {
        const running = world.urls.flatMap((url) => world.askAllWays('halting', url));
        await patiently(() => world.provider.calls.length === running.length);
        clock.set(instant(Date.UTC(2026, 2, 1)));
        const { container } = world.first;
        await container.get(services.ledger).sweep(container.get(services.clock).now());
        expect(await world.held()).toBe(place.judgesByGateway ? 0 : running.length);
        world.release();
        const outcomes = await Promise.all(running);
        expect(outcomes.filter(({ status, code, debited }) => status !== 200 || code !== null || debited !== '0.072')).toEqual([]);
        expect(await world.charged(outcomes)).toEqual(outcomes.map(() => '0.072'));
        clock.set(LAST_MINUTE);
        await assertSound(world, outcomes);
      });
    });
  }, TEST_MILLISECONDS);
});
