import { expect, it } from '../test-runner.js';
import {
  type AdmissionTicket, instant, type Instant, type LimitName, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, type PlanLimits,
  startOfNextUtcDay, startOfNextUtcMonth, tokenCount,
} from '@tollgate/core';
import { type ALICE, MID_MONTH, refusal, type StartLimiter, ticketOf, WIDE_LIMITS } from './rate-limiter-subject.js';

/** Tests the limits on requests and tokens per minute, and which of several exhausted limits is reported. */
export function minuteLimitsContract(start: StartLimiter): void {
  it('accepts 60 requests a minute, refuses the 61st until the window ends, and accepts requests again from that moment on', async () => {
    const driver = await start();
    const limits = { requestsPerMinute: 60 };
    for (let request = 1; request <= 60; request += 1) {
      const admission = await driver.admit(limits);
      expect(admission.quota).toMatchObject({ requestsLimit: 60, requestsRemaining: 60 - request, requestsResetSeconds: 60 });
      await driver.serve(ticketOf(admission), 1);
    }
    await driver.advance(12_400);
    expect(refusal(await driver.admit(limits))).toEqual({ limit: 'requests-per-minute', retryAfterSeconds: 48, neverFits: false });
    await driver.advance(47_599);
    expect(refusal(await driver.admit(limits))).toEqual({ limit: 'requests-per-minute', retryAfterSeconds: 1, neverFits: false });
    await driver.advance(1);
    expect((await driver.admit(limits)).quota).toMatchObject({ requestsRemaining: 59, requestsResetSeconds: 60 });
  });

  it('anchors the window at the first request, not at the wall clock\'s minute', async () => {
    const driver = await start(instant(MID_MONTH + 37_123));
    const limits = { requestsPerMinute: 1 };
    await driver.admitted(limits);
    await driver.advance(59_999);
    expect((await driver.admit(limits)).admitted).toBe(false);
    await driver.advance(1);
    expect((await driver.admit(limits)).admitted).toBe(true);
  });

  it('opens the next window at the next request, not at the end of the last window', async () => {
    const driver = await start();
    const limits = { requestsPerMinute: 1 };
    await driver.admitted(limits);
    await driver.advance(90_000);
    await driver.admitted(limits);
    await driver.advance(59_999);
    expect(refusal(await driver.admit(limits)).retryAfterSeconds).toBe(1);
  });

  it('counts the estimate against the tokens per minute, up to the last token, and does not correct it after the request', async () => {
    const driver = await start();
    const limits = { tokensPerMinute: tokenCount(1_000) };
    await driver.serve(await driver.admitted(limits, 600), 5);
    expect(refusal(await driver.admit(limits, 401))).toEqual({ limit: 'tokens-per-minute', retryAfterSeconds: 60, neverFits: false });
    const admission = await driver.admit(limits, 400);
    expect(admission).toMatchObject({ admitted: true, quota: { tokensLimit: 1_000, tokensRemaining: 0 } });
    expect(refusal(await driver.admit(limits, 1)).limit).toBe('tokens-per-minute');
    await driver.advance(MILLISECONDS_PER_MINUTE);
    expect((await driver.admit(limits, 1_000)).admitted).toBe(true);
  });

  it('reports that a demand larger than the limit never fits, with and without an open window', async () => {
    const driver = await start();
    const limits = { tokensPerMinute: tokenCount(1_000) };
    expect(refusal(await driver.admit(limits, 1_001))).toEqual({ limit: 'tokens-per-minute', retryAfterSeconds: 60, neverFits: true });
    await driver.admitted(limits, 1);
    await driver.advance(20_000);
    expect(refusal(await driver.admit(limits, 1_001))).toEqual({ limit: 'tokens-per-minute', retryAfterSeconds: 40, neverFits: true });
  });

  it('checks requests, tokens, concurrency, day and month, in this order', async () => {
    const driver = await start();
    await driver.admitted({}, 10);
    const one = tokenCount(10);
    const all: PlanLimits = {
      ...WIDE_LIMITS, requestsPerMinute: 1, tokensPerMinute: one, concurrentRequests: 1, tokensPerDay: one, tokensPerMonth: one,
    };
    const ladder: readonly (readonly [LimitName, Partial<PlanLimits>])[] = [
      ['requests-per-minute', { requestsPerMinute: 2 }],
      ['tokens-per-minute', { tokensPerMinute: tokenCount(100) }],
      ['concurrent-requests', { concurrentRequests: 2 }],
      ['tokens-per-day', { tokensPerDay: tokenCount(100) }],
      ['tokens-per-month', { tokensPerMonth: tokenCount(100) }],
    ];
    let limits = all;
    for (const [limit, widened] of ladder) {
      expect(refusal(await driver.admit(limits, 5)).limit).toBe(limit);
      limits = { ...limits, ...widened };
    }
    expect((await driver.admit(limits, 5)).admitted).toBe(true);
  });

  it('counts a token-counting request as one request only, and admits it although other limits are exhausted', async () => {
    const driver = await start();
    const limits = { requestsPerMinute: 3, tokensPerMinute: tokenCount(10), concurrentRequests: 1, tokensPerDay: tokenCount(10) };
    await driver.admitted(limits, 10);
    const counted = await driver.limiter.admit(driver.demand(limits, 1_000_000, 'count'));
    expect(counted).toMatchObject({ admitted: true, quota: { requestsRemaining: 1, tokensRemaining: 0 } });
    expect((await driver.limiter.admit(driver.demand(limits, 0, 'count'))).admitted).toBe(true);
    expect(refusal(await driver.limiter.admit(driver.demand(limits, 0, 'count'))).limit).toBe('requests-per-minute');
    await driver.release(ticketOf(counted), 'undone');
    expect((await driver.limiter.admit(driver.demand(limits, 0, 'count'))).admitted).toBe(true);
  });

  it('applies lowered and raised limits immediately', async () => {
    const driver = await start();
    for (let request = 0; request < 5; request += 1) await driver.admitted({ requestsPerMinute: 10 });
    const narrow = await driver.admit({ requestsPerMinute: 3 });
    expect(narrow).toMatchObject({ admitted: false, quota: { requestsLimit: 3, requestsRemaining: 0 } });
    expect((await driver.admit({ requestsPerMinute: 6 })).admitted).toBe(true);
  });

  it('counts accounts separately', async () => {
    const driver = await start();
    const limits = { ...WIDE_LIMITS, requestsPerMinute: 1 };
    await driver.admitted(limits);
    const other = { ...driver.demand(limits), accountId: 'acct_bob' as typeof ALICE };
    expect((await driver.limiter.admit(other)).admitted).toBe(true);
    expect((await driver.limiter.admit(other)).admitted).toBe(false);
  });

  it('states the full limit and no reset while no window is open, and otherwise the figures of the open window', async () => {
    const driver = await start();
    const limits = { ...WIDE_LIMITS, requestsPerMinute: 5, tokensPerMinute: tokenCount(100) };
    const full = { requestsLimit: 5, requestsRemaining: 5, tokensLimit: 100, tokensRemaining: 100, requestsResetSeconds: 0 };
    expect(await driver.quota(limits)).toEqual(full);
    await driver.admitted(limits, 30);
    await driver.advance(30_500);
    expect(await driver.quota(limits)).toEqual({ ...full, requestsRemaining: 4, tokensRemaining: 70, requestsResetSeconds: 30 });
    await driver.advance(29_500);
    expect(await driver.quota(limits)).toEqual(full);
  });
}

export function capsContract(start: StartLimiter): void {
  it('counts the estimate of a running request against a cap, and then its exact tokens', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(1_000) };
    const ticket = await driver.admitted(limits, 900);
    expect(refusal(await driver.admit(limits, 101)).limit).toBe('tokens-per-day');
    await driver.serve(ticket, 300);
    expect(refusal(await driver.admit(limits, 701)).limit).toBe('tokens-per-day');
    await driver.serve(await driver.admitted(limits, 700), 700);
    expect(refusal(await driver.admit(limits, 1)).limit).toBe('tokens-per-day');
  });

  it('begins the count of a cap with the usage that the usage source reports', async () => {
    const driver = await start();
    driver.recordUse(400);
    const limits = { tokensPerDay: tokenCount(500), tokensPerMonth: tokenCount(10_000) };
    expect(refusal(await driver.admit(limits, 101)).limit).toBe('tokens-per-day');
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });

  it.each<[LimitName, Partial<PlanLimits>, (at: Instant) => Instant]>([
    ['tokens-per-day', { tokensPerDay: tokenCount(100) }, startOfNextUtcDay],
    ['tokens-per-month', { tokensPerMonth: tokenCount(100) }, startOfNextUtcMonth],
  ])('refuses by %s until the UTC day or month ends, and admits from that moment on', async (limit, limits, turn) => {
    const driver = await start(instant(MID_MONTH + 250));
    const turnAt = turn(driver.now);
    await driver.serve(await driver.admitted(limits, 100), 100);
    expect(refusal(await driver.admit(limits, 1))).toEqual({ limit, retryAfterSeconds: Math.ceil((turnAt - driver.now) / 1000), neverFits: false });
    await driver.advanceTo(instant(turnAt - 1));
    expect(refusal(await driver.admit(limits, 1))).toEqual({ limit, retryAfterSeconds: 1, neverFits: false });
    await driver.advanceTo(turnAt);
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });

  it('continues the count of the month after midnight', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(100), tokensPerMonth: tokenCount(150) };
    await driver.serve(await driver.admitted(limits, 100), 100);
    await driver.advance(MILLISECONDS_PER_DAY);
    expect(refusal(await driver.admit(limits, 51)).limit).toBe('tokens-per-month');
    expect((await driver.admit(limits, 50)).admitted).toBe(true);
  });

  it('counts a request that runs past midnight on the new day, first its estimate and then its tokens', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(100) };
    const ticket = await driver.admitted(limits, 80);
    await driver.advanceTo(startOfNextUtcDay(driver.now));
    expect(refusal(await driver.admit(limits, 21)).limit).toBe('tokens-per-day');
    await driver.serve(ticket, 40);
    expect(refusal(await driver.admit(limits, 61)).limit).toBe('tokens-per-day');
    expect((await driver.admit(limits, 60)).admitted).toBe(true);
  });

  it('reports that a demand larger than the cap never fits', async () => {
    const driver = await start();
    expect(refusal(await driver.admit({ tokensPerDay: tokenCount(10) }, 11))).toMatchObject({ limit: 'tokens-per-day', neverFits: true });
    expect(refusal(await driver.admit({ tokensPerMonth: tokenCount(10) }, 11))).toMatchObject({ limit: 'tokens-per-month', neverFits: true });
  });

  it('counts the usage from before a cap came into force', async () => {
    const driver = await start();
    const running = await driver.admitted({}, 30);
    await driver.serve(await driver.admitted({}, 50), 50);
    const limits = { tokensPerDay: tokenCount(100) };
    expect(refusal(await driver.admit(limits, 21)).limit).toBe('tokens-per-day');
    await driver.serve(running, 30);
    expect((await driver.admit(limits, 20)).admitted).toBe(true);
  });

  it('fails while the usage source fails, counts no request meanwhile, and recovers', async () => {
    const driver = await start();
    const limits = { requestsPerMinute: 1, tokensPerDay: tokenCount(100) };
    driver.failure = new Error('the database is away');
    await expect(driver.admit(limits, 1)).rejects.toThrow('the database is away');
    driver.failure = null;
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });
}

export function concurrencyContract(start: StartLimiter): void {
  it('admits as many requests at once as there are slots, then one per release, and states a retry time of 2 s otherwise', async () => {
    const driver = await start();
    const limits = { concurrentRequests: 4 };
    const tickets: AdmissionTicket[] = [];
    for (let slot = 0; slot < 4; slot += 1) tickets.push(await driver.admitted(limits));
    const refused = { limit: 'concurrent-requests', retryAfterSeconds: 2, neverFits: false };
    expect(refusal(await driver.admit(limits))).toEqual(refused);
    expect(driver.limiter.heldSlots).toBe(4);
    for (const ticket of tickets) {
      await driver.serve(ticket, 1);
      expect((await driver.admit(limits)).admitted).toBe(true);
      expect(refusal(await driver.admit(limits))).toEqual(refused);
    }
  });

  it('frees a slot once, although its ticket is released repeatedly and in several ways', async () => {
    const driver = await start();
    const limits = { concurrentRequests: 2, requestsPerMinute: 10 };
    const [first] = [await driver.admitted(limits), await driver.admitted(limits)];
    await driver.serve(first, 1);
    await driver.serve(first, 1);
    await driver.release(first, 'undone');
    await driver.release(first, 'unserved');
    expect(driver.limiter.heldSlots).toBe(1);
    expect((await driver.admit(limits)).quota).toMatchObject({ requestsRemaining: 7 });
    expect(refusal(await driver.admit(limits)).limit).toBe('concurrent-requests');
  });

  it('occupies a slot while the request runs, over any number of windows', async () => {
    const driver = await start();
    const ticket = await driver.admitted({ concurrentRequests: 1 });
    for (let minute = 0; minute < 15; minute += 1) {
      await driver.advance(MILLISECONDS_PER_MINUTE);
      expect(refusal(await driver.admit({ concurrentRequests: 1 })).limit).toBe('concurrent-requests');
    }
    await driver.serve(ticket, 1);
    expect((await driver.admit({ concurrentRequests: 1 })).admitted).toBe(true);
  });

  it.each<[string, Partial<PlanLimits>, number]>([
    ['requests', { requestsPerMinute: 7 }, 0],
    ['tokens', { tokensPerMinute: tokenCount(70) }, 10],
    ['slots', { concurrentRequests: 7 }, 0],
    ['the day\'s tokens', { tokensPerDay: tokenCount(70) }, 10],
    ['the month\'s tokens', { tokensPerMonth: tokenCount(70) }, 10],
  ])('admits exactly 7 of 200 simultaneous demands when %s suffice for 7', async (_limit, limits, tokens) => {
    const driver = await start();
    const admissions = await Promise.all(Array.from({ length: 200 }, () => driver.admit(limits, tokens)));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(7);
  });
}
