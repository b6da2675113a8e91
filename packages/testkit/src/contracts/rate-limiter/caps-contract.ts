import { expect, it } from '@jest/globals';
import {
  type AdmissionTicket, type Instant, instant, type LimitName, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, type PlanLimits,
  startOfNextUtcDay, startOfNextUtcMonth, tokenCount,
} from '@tollgate/core';
import { MID_MONTH, refusal, type StartLimiter } from './rate-limiter-subject.js';

/** Tokens of a day and of a month. */
export function capsContract(start: StartLimiter): void {
  it('counts the estimate while in flight and the tokens really used afterwards, to the last token', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(1_000) };
    const ticket = await driver.admitted(limits, 900);
    expect(refusal(await driver.admit(limits, 101)).limit).toBe('tokens-per-day');
    await driver.serve(ticket, 300);
    expect(refusal(await driver.admit(limits, 701)).limit).toBe('tokens-per-day');
    await driver.serve(await driver.admitted(limits, 700), 700);
    expect(refusal(await driver.admit(limits, 1)).limit).toBe('tokens-per-day');
  });

  it('starts from what the source of truth knows at the first look', async () => {
    const driver = await start();
    driver.recordUse(400);
    const limits = { tokensPerDay: tokenCount(500), tokensPerMonth: tokenCount(10_000) };
    expect(refusal(await driver.admit(limits, 101)).limit).toBe('tokens-per-day');
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });

  it.each<[LimitName, Partial<PlanLimits>, (at: Instant) => Instant]>([
    ['tokens-per-day', { tokensPerDay: tokenCount(100) }, startOfNextUtcDay],
    ['tokens-per-month', { tokensPerMonth: tokenCount(100) }, startOfNextUtcMonth],
  ])('refuses by %s until the calendar turns and serves from that moment on', async (limit, limits, turn) => {
    const driver = await start(instant(MID_MONTH + 250));
    const turnAt = turn(driver.now);
    await driver.serve(await driver.admitted(limits, 100), 100);
    expect(refusal(await driver.admit(limits, 1))).toEqual({ limit, retryAfterSeconds: Math.ceil((turnAt - driver.now) / 1000), neverFits: false });
    await driver.advanceTo(instant(turnAt - 1));
    expect(refusal(await driver.admit(limits, 1))).toEqual({ limit, retryAfterSeconds: 1, neverFits: false });
    await driver.advanceTo(turnAt);
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });

  it('keeps counting the month over a turn of the day', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(100), tokensPerMonth: tokenCount(150) };
    await driver.serve(await driver.admitted(limits, 100), 100);
    await driver.advance(MILLISECONDS_PER_DAY);
    expect(refusal(await driver.admit(limits, 51)).limit).toBe('tokens-per-month');
    expect((await driver.admit(limits, 50)).admitted).toBe(true);
  });

  it('counts a request that runs over midnight in flight on the new day, and by its end there', async () => {
    const driver = await start();
    const limits = { tokensPerDay: tokenCount(100) };
    const ticket = await driver.admitted(limits, 80);
    await driver.advanceTo(startOfNextUtcDay(driver.now));
    expect(refusal(await driver.admit(limits, 21)).limit).toBe('tokens-per-day');
    await driver.serve(ticket, 40);
    expect(refusal(await driver.admit(limits, 61)).limit).toBe('tokens-per-day');
    expect((await driver.admit(limits, 60)).admitted).toBe(true);
  });

  it('says of a demand above the whole cap that it never fits', async () => {
    const driver = await start();
    expect(refusal(await driver.admit({ tokensPerDay: tokenCount(10) }, 11))).toMatchObject({ limit: 'tokens-per-day', neverFits: true });
    expect(refusal(await driver.admit({ tokensPerMonth: tokenCount(10) }, 11))).toMatchObject({ limit: 'tokens-per-month', neverFits: true });
  });

  it('counts what was used before a cap came into force', async () => {
    const driver = await start();
    const running = await driver.admitted({}, 30);
    await driver.serve(await driver.admitted({}, 50), 50);
    const limits = { tokensPerDay: tokenCount(100) };
    expect(refusal(await driver.admit(limits, 21)).limit).toBe('tokens-per-day');
    await driver.serve(running, 30);
    expect((await driver.admit(limits, 20)).admitted).toBe(true);
  });

  it('fails while the source of truth fails, counts nothing meanwhile, and recovers', async () => {
    const driver = await start();
    const limits = { requestsPerMinute: 1, tokensPerDay: tokenCount(100) };
    driver.failure = new Error('the database is away');
    await expect(driver.admit(limits, 1)).rejects.toThrow('the database is away');
    driver.failure = null;
    expect((await driver.admit(limits, 100)).admitted).toBe(true);
  });
}

/** Requests that run at the same time. */
export function concurrencyContract(start: StartLimiter): void {
  it('admits as many at once as there are slots and one more after each release, with a retry after 2 s', async () => {
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

  it('frees a slot once, however often and however its ticket is released', async () => {
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

  it('holds a slot for as long as the request runs, through any number of windows', async () => {
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
