import { afterEach, describe, expect, it } from '@jest/globals';
import { type LimitName, MILLISECONDS_PER_MINUTE, type PlanLimits, type SharedCounter, tokenCount } from '@tollgate/core';
import { type MakeRateLimiter, MID_MONTH, RateLimiterDriver, refusal, type StartLimiter } from './rate-limiter-subject.js';
import { capsContract, concurrencyContract, minuteLimitsContract } from './plan-limits-contract.js';
import { incidentLimitsContract } from './incident-limits-contract.js';

/** The guarantees of every rate limiter. */
export function rateLimiterContract(name: string, make: MakeRateLimiter): void {
  describe(`RateLimiter contract: ${name}`, () => {
    let driver: RateLimiterDriver | null = null;
    const start: StartLimiter = async (startAt = MID_MONTH) => {
      driver = await RateLimiterDriver.start(make, startAt);
      return driver;
    };
    afterEach(async () => {
      await driver?.close();
      driver = null;
    });

    minuteLimitsContract(start);
    concurrencyContract(start);
    capsContract(start);
    releaseContract(start);
    incidentLimitsContract(start);
  });
}

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The guarantees of counters, in one process or in several. */
export function sharedCounterContract(name: string, make: () => Promise<SharedCounter> | SharedCounter): void {
  describe(`SharedCounter contract: ${name}`, () => {
    it('adds up under each name, in the window that the first count began', async () => {
      const counter = await make();
      const first = await counter.add('alice', 2, HOUR);
      expect(first.total).toBe(2);
      expect(first.endsInMilliseconds).toBeGreaterThan(HOUR - MINUTE);
      expect(first.endsInMilliseconds).toBeLessThanOrEqual(HOUR);
      const second = await counter.add('alice', 3, HOUR);
      expect(second.total).toBe(5);
      expect(second.endsInMilliseconds).toBeLessThanOrEqual(first.endsInMilliseconds);
      expect((await counter.add('bob', 1, MINUTE)).total).toBe(1);
    });

    it('takes back, and tells without counting', async () => {
      const counter = await make();
      await counter.add('alice', 3, HOUR);
      expect((await counter.add('alice', -1, HOUR)).total).toBe(2);
      expect((await counter.add('alice', 0, HOUR)).total).toBe(2);
    });

    it('takes back no more than was counted, and begins no window with it', async () => {
      const counter = await make();
      expect(await counter.add('alice', -2, HOUR)).toEqual({ total: 0, endsInMilliseconds: 0 });
      const { endsInMilliseconds } = await counter.add('alice', 3, MINUTE);
      expect(endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
      expect((await counter.add('alice', -5, HOUR)).total).toBe(0);
      const last = await counter.add('alice', 1, HOUR);
      expect(last.total).toBe(1);
      expect(last.endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
    });

    it('loses nothing that is counted at the same time', async () => {
      const counter = await make();
      const counts = await Promise.all(Array.from({ length: 50 }, () => counter.add('alice', 1, HOUR)));
      expect(counts.map(({ total }) => total).toSorted((first, second) => first - second)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });
  });
}

/** What a refusal counts and what a release returns. */
function releaseContract(start: StartLimiter): void {
  const limits = { requestsPerMinute: 3, tokensPerMinute: tokenCount(100), concurrentRequests: 3, tokensPerDay: tokenCount(100) };

  it.each<[LimitName, Partial<PlanLimits>, number]>([
    ['requests-per-minute', { requestsPerMinute: 0 }, 1],
    ['tokens-per-minute', { tokensPerMinute: tokenCount(50) }, 51],
    ['concurrent-requests', { concurrentRequests: 0 }, 1],
    ['tokens-per-day', { tokensPerDay: tokenCount(50) }, 51],
    ['tokens-per-month', { tokensPerMonth: tokenCount(50) }, 51],
  ])('a refusal by %s consumes nothing and opens no window', async (limit, lowered, tokens) => {
    const driver = await start();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(refusal(await driver.admit({ ...limits, ...lowered }, tokens)).limit).toBe(limit);
    }
    expect(await driver.quota(limits)).toMatchObject({
      requestsRemaining: 3, tokensRemaining: 100, requestsResetSeconds: 0,
    });
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });

  it('undone gives everything back, the window included if nothing else counts in it', async () => {
    const driver = await start();
    const before = await driver.quota(limits);
    await driver.release(await driver.admitted(limits, 100), 'undone');
    expect(await driver.quota(limits)).toEqual(before);
    await driver.advance(30_000);
    const admission = await driver.admit(limits, 100);
    expect(admission).toMatchObject({ admitted: true, quota: { requestsRemaining: 2, tokensRemaining: 0, requestsResetSeconds: 60 } });
  });

  it('undone after its window has ended takes nothing from the next window', async () => {
    const driver = await start();
    const ticket = await driver.admitted(limits, 40);
    await driver.advance(MILLISECONDS_PER_MINUTE);
    await driver.admitted(limits, 10);
    await driver.release(ticket, 'undone');
    expect(await driver.quota(limits)).toMatchObject({ requestsRemaining: 2, tokensRemaining: 90 });
  });

  it('unserved keeps the request counted and gives its tokens back to the minute and the day', async () => {
    const driver = await start();
    await driver.release(await driver.admitted(limits, 100), 'unserved');
    const admission = await driver.admit(limits, 100);
    expect(admission).toMatchObject({ admitted: true, quota: { requestsRemaining: 1, tokensRemaining: 0 } });
  });

  it('unserved after its window has ended gives no tokens to the next window', async () => {
    const driver = await start();
    const ticket = await driver.admitted(limits, 40);
    await driver.advance(MILLISECONDS_PER_MINUTE);
    await driver.admitted(limits, 10);
    await driver.release(ticket, 'unserved');
    expect(await driver.quota(limits)).toMatchObject({ tokensRemaining: 90 });
  });
}
