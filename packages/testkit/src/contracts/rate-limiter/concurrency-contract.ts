import { expect, it } from '@jest/globals';
import { type AdmissionTicket, MILLISECONDS_PER_MINUTE, type PlanLimits, tokenCount } from '@tollgate/core';
import { refusal, type Start } from './start-limiter.js';

/** Requests that run at the same time. */
export function concurrencyContract(start: Start): void {
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
