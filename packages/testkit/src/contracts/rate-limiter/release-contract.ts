import { expect, it } from '@jest/globals';
import { type LimitName, MILLISECONDS_PER_MINUTE, type PlanLimits, tokenCount } from '@tollgate/core';
import { refusal, type Start } from './start-limiter.js';

/** What a refusal takes and what a release gives back. */
export function releaseContract(start: Start): void {
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
