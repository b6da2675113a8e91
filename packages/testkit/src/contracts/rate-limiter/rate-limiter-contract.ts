import { afterEach, describe, expect, it } from '../test-runner.js';
import {
  type Admission, type AdmissionTicket, type IncidentLimit, type Instant, later, type LimitFigures, type LimitName, MILLISECONDS_PER_MINUTE, type ModelSlug,
  type PlanLimits, type SharedCounter, tokenCount,
} from '@tollgate/core';
import { AN_INCIDENT, type MakeRateLimiter, MID_MONTH, RateLimiterDriver, refusal, type StartLimiter, ticketOf } from './rate-limiter-subject.js';
import { capsContract, concurrencyContract, minuteLimitsContract } from './plan-limits-contract.js';

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

export function sharedCounterContract(name: string, make: () => Promise<SharedCounter> | SharedCounter): void {
  describe(`SharedCounter contract: ${name}`, () => {
    it('adds up the counts of each name in the window that its first count opens', async () => {
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

    it('subtracts a negative count, and leaves the total unchanged for a count of zero', async () => {
      const counter = await make();
      await counter.add('alice', 3, HOUR);
      expect((await counter.add('alice', -1, HOUR)).total).toBe(2);
      expect((await counter.add('alice', 0, HOUR)).total).toBe(2);
    });

    it('subtracts at most what was counted, and does not open a window by a subtraction', async () => {
      const counter = await make();
      expect(await counter.add('alice', -2, HOUR)).toEqual({ total: 0, endsInMilliseconds: 0 });
      const { endsInMilliseconds } = await counter.add('alice', 3, MINUTE);
      expect(endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
      expect((await counter.add('alice', -5, HOUR)).total).toBe(0);
      const last = await counter.add('alice', 1, HOUR);
      expect(last.total).toBe(1);
      expect(last.endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
    });

    it('adds up all concurrent counts', async () => {
      const counter = await make();
      const counts = await Promise.all(Array.from({ length: 50 }, () => counter.add('alice', 1, HOUR)));
      expect(counts.map(({ total }) => total).toSorted((first, second) => first - second)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });
  });
}

/** Tests what refused requests add to the counts, and what a release subtracts from them. */
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

  it.each<[LimitName, Partial<PlanLimits>, LimitFigures]>([
    ['requests-per-minute', { requestsPerMinute: 1 }, { maximum: 1, used: 1, wanted: 1 }],
    ['tokens-per-minute', { tokensPerMinute: tokenCount(50) }, { maximum: 50, used: 40, wanted: 11 }],
    ['concurrent-requests', { concurrentRequests: 1 }, { maximum: 1, used: 1, wanted: 1 }],
    ['tokens-per-day', { tokensPerDay: tokenCount(50) }, { maximum: 50, used: 40, wanted: 11 }],
    ['tokens-per-month', { tokensPerMonth: tokenCount(50) }, { maximum: 50, used: 40, wanted: 11 }],
  ])('a refusal by %s states the limit, its use and the demand', async (limit, lowered, figures) => {
    const driver = await start();
    await driver.admitted(limits, 40);
    expect(await driver.admit({ ...limits, ...lowered }, 11)).toMatchObject({ admitted: false, limit, figures });
  });

  it('an undone admission returns all that it took, and closes the window if the window contains no other request', async () => {
    const driver = await start();
    const before = await driver.quota(limits);
    await driver.release(await driver.admitted(limits, 100), 'undone');
    expect(await driver.quota(limits)).toEqual(before);
    await driver.advance(30_000);
    const admission = await driver.admit(limits, 100);
    expect(admission).toMatchObject({ admitted: true, quota: { requestsRemaining: 2, tokensRemaining: 0, requestsResetSeconds: 60 } });
  });

  it('an undone admission whose window has ended does not change the next window', async () => {
    const driver = await start();
    const ticket = await driver.admitted(limits, 40);
    await driver.advance(MILLISECONDS_PER_MINUTE);
    await driver.admitted(limits, 10);
    await driver.release(ticket, 'undone');
    expect(await driver.quota(limits)).toMatchObject({ requestsRemaining: 2, tokensRemaining: 90 });
  });

  it('an unserved request remains counted, but its tokens are returned to the minute and the day', async () => {
    const driver = await start();
    await driver.release(await driver.admitted(limits, 100), 'unserved');
    const admission = await driver.admit(limits, 100);
    expect(admission).toMatchObject({ admitted: true, quota: { requestsRemaining: 1, tokensRemaining: 0 } });
  });

  it('an unserved request whose window has ended does not return its tokens to the next window', async () => {
    const driver = await start();
    const ticket = await driver.admitted(limits, 40);
    await driver.advance(MILLISECONDS_PER_MINUTE);
    await driver.admitted(limits, 10);
    await driver.release(ticket, 'unserved');
    expect(await driver.quota(limits)).toMatchObject({ tokensRemaining: 90 });
  });
}

type Refused = Extract<Admission, { admitted: false }>;

function refused(admission: Admission): Pick<Refused, 'limit' | 'incidentModel' | 'retryAfterSeconds' | 'neverFits'> {
  if (admission.admitted) throw new Error('the demand was admitted');
  const { limit, incidentModel, retryAfterSeconds, neverFits } = admission;
  return { limit, incidentModel, retryAfterSeconds, neverFits };
}

/** Tests incident limits of one model together with the limits of the plan. */
function incidentLimitsContract(start: StartLimiter): void {
  const { model } = AN_INCIDENT;

  it.each<[LimitName, Partial<IncidentLimit>, number]>([
    ['requests-per-minute', { requestsPerMinute: 7 }, 0],
    ['tokens-per-minute', { tokensPerMinute: tokenCount(70) }, 10],
    ['concurrent-requests', { concurrentRequests: 7 }, 0],
  ])('admits exactly 7 of 200 simultaneous demands if an incident limit of %s suffices for 7, and names the model in refusals', async (limit, incident, tokens) => {
    const driver = await start();
    const admissions = await Promise.all(Array.from({ length: 200 }, () => driver.admitUnder(incident, tokens)));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(7);
    const retryAfterSeconds = limit === 'concurrent-requests' ? 2 : 60;
    expect(refused(await driver.admitUnder(incident, tokens))).toEqual({ limit, incidentModel: model, retryAfterSeconds, neverFits: false });
  });

  it('an incident limit counts only requests to its model, while the plan counts requests to every model', async () => {
    const driver = await start();
    const [limits, incident] = [{ requestsPerMinute: 5 }, { requestsPerMinute: 2 }];
    for (let request = 0; request < 2; request += 1) await driver.admitted(limits);
    await driver.admitUnder({ ...incident, model: 'large' as ModelSlug }, 0, limits);
    for (let request = 0; request < 2; request += 1) expect((await driver.admitUnder(incident, 0, limits)).admitted).toBe(true);
    expect(refused(await driver.admitUnder({ requestsPerMinute: 9 }, 0, limits))).toMatchObject({ limit: 'requests-per-minute', incidentModel: null });
    expect(refused(await driver.admitUnder(incident, 0, { requestsPerMinute: 6 }))).toMatchObject({ limit: 'requests-per-minute', incidentModel: model });
    expect((await driver.admit({ requestsPerMinute: 6 })).admitted).toBe(true);
  });

  it('a refusal by the model’s limit does not count against the plan, and a refusal by the plan does not count against the model', async () => {
    const driver = await start();
    const closed = { requestsPerMinute: 0 };
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(refused(await driver.admitUnder(closed, 5))).toMatchObject({ incidentModel: model });
      expect(refused(await driver.admitUnder({}, 5, closed))).toMatchObject({ incidentModel: null });
    }
    const incident = { ...AN_INCIDENT, requestsPerMinute: 2, tokensPerMinute: tokenCount(10) };
    expect(await driver.quota({ requestsPerMinute: 3 }, incident)).toMatchObject({ requestsRemaining: 2, tokensRemaining: 10, requestsResetSeconds: 0 });
    expect(await driver.quota({ requestsPerMinute: 3 })).toMatchObject({ requestsRemaining: 3, requestsResetSeconds: 0 });
  });

  it('an incident limit opens its window with the first request to its model, whatever the window of the plan', async () => {
    const driver = await start();
    const incident = { requestsPerMinute: 1 };
    await driver.admitted({});
    await driver.advance(40_000);
    await driver.admitUnder(incident);
    await driver.advance(59_000);
    expect(refused(await driver.admitUnder(incident))).toMatchObject({ incidentModel: model, retryAfterSeconds: 1 });
    await driver.advance(1_000);
    expect((await driver.admitUnder(incident)).admitted).toBe(true);
  });

  it('an incident limit counts from zero after it is set again', async () => {
    const driver = await start();
    const incident = { requestsPerMinute: 1, concurrentRequests: 1 };
    const before = ticketOf(await driver.admitUnder(incident));
    const again = { ...incident, setAt: later(AN_INCIDENT.setAt, 1) };
    const after = ticketOf(await driver.admitUnder(again));
    expect((await driver.admitUnder(again)).admitted).toBe(false);
    await driver.release(before, 'undone');
    expect((await driver.admitUnder(again)).admitted).toBe(false);
    await driver.release(after, 'undone');
    expect((await driver.admitUnder(again)).admitted).toBe(true);
  });

  it('an undone admission returns the request, its tokens and its slot to the plan and to the model, once', async () => {
    const driver = await start();
    const incident = { requestsPerMinute: 2, tokensPerMinute: tokenCount(20), concurrentRequests: 2 };
    const tickets: AdmissionTicket[] = [ticketOf(await driver.admitUnder(incident, 10)), ticketOf(await driver.admitUnder(incident, 10))];
    const [first] = tickets as [AdmissionTicket];
    for (let time = 0; time < 2; time += 1) await driver.release(first, 'undone');
    const remaining = { requestsRemaining: 1, tokensRemaining: 10 };
    expect(await driver.quota({ requestsPerMinute: 3 }, { ...AN_INCIDENT, ...incident })).toMatchObject(remaining);
    expect(await driver.quota({ requestsPerMinute: 3 })).toMatchObject({ requestsRemaining: 2 });
    expect((await driver.admitUnder(incident, 10)).admitted).toBe(true);
    expect((await driver.admitUnder(incident, 10)).admitted).toBe(false);
  });

  it('an undone admission closes the window of the incident limit if that window has no other request, but no later window', async () => {
    const driver = await start();
    const incident = { requestsPerMinute: 1 };
    const quota = (): Promise<unknown> => driver.quota({}, { ...AN_INCIDENT, ...incident });
    const full = await quota();
    await driver.release(ticketOf(await driver.admitUnder(incident)), 'undone');
    expect(await quota()).toEqual(full);
    const old = ticketOf(await driver.admitUnder(incident));
    await driver.advance(MILLISECONDS_PER_MINUTE);
    await driver.admitUnder(incident);
    await driver.release(old, 'undone');
    expect((await driver.admitUnder(incident)).admitted).toBe(false);
  });

  it('an unserved request remains counted and returns its tokens; a served request returns only the slot', async () => {
    const driver = await start();
    const incident = { tokensPerMinute: tokenCount(20), requestsPerMinute: 3, concurrentRequests: 1 };
    await driver.release(ticketOf(await driver.admitUnder(incident, 20)), 'unserved');
    await driver.serve(ticketOf(await driver.admitUnder(incident, 20)), 1);
    expect(refused(await driver.admitUnder(incident, 1))).toMatchObject({ limit: 'tokens-per-minute', incidentModel: model });
    expect((await driver.admitUnder(incident, 0)).admitted).toBe(true);
    expect(refused(await driver.admitUnder(incident, 0))).toMatchObject({ limit: 'requests-per-minute', incidentModel: model });
  });

  it('reports that a demand larger than an incident limit never fits', async () => {
    const driver = await start();
    expect(refused(await driver.admitUnder({ tokensPerMinute: tokenCount(9) }, 10))).toMatchObject({ limit: 'tokens-per-minute', neverFits: true });
  });

  it('states the end of the incident limit as the retry time if the window would end later', async () => {
    const driver = await start();
    const incident = { requestsPerMinute: 1, expiresAt: later(driver.now, 45_000) };
    const admission = await driver.admitUnder(incident);
    expect(admission.quota).toMatchObject({ requestsRemaining: 0, requestsResetSeconds: 45 });
    await driver.advance(5_000);
    expect(refused(await driver.admitUnder(incident)).retryAfterSeconds).toBe(40);
  });

  it.each<[string, Partial<PlanLimits>, Partial<IncidentLimit>, number, Record<string, number>]>([
    ['the model has fewer requests left', { requestsPerMinute: 9 }, { requestsPerMinute: 5, tokensPerMinute: tokenCount(100) }, 2, { requestsLimit: 5, requestsRemaining: 3, tokensLimit: 100, tokensRemaining: 80, requestsResetSeconds: 60 }],
    ['the plan has fewer requests left', { requestsPerMinute: 6, tokensPerMinute: tokenCount(900) }, { requestsPerMinute: 5, tokensPerMinute: tokenCount(100) }, 0, { requestsLimit: 6, requestsRemaining: 3, tokensLimit: 900, tokensRemaining: 870, requestsResetSeconds: 30 }],
    ['the model limits requests alone', { requestsPerMinute: 9, tokensPerMinute: tokenCount(900) }, { requestsPerMinute: 5 }, 2, { requestsLimit: 5, requestsRemaining: 3, tokensLimit: 900, tokensRemaining: 850 }],
    ['the model limits tokens alone', { requestsPerMinute: 9, tokensPerMinute: tokenCount(900) }, { tokensPerMinute: tokenCount(100) }, 2, { requestsLimit: 9, requestsRemaining: 4, tokensLimit: 100, tokensRemaining: 80, requestsResetSeconds: 30 }],
    ['both have as many left, and the plan\'s reset is later', { requestsPerMinute: 9 }, { requestsPerMinute: 6, expiresAt: 1 as Instant }, 2, { requestsLimit: 9, requestsRemaining: 4 }],
  ])('the headers show the limits of the plan or of the model, whichever has fewer requests left: %s', async (_name, limits, incident, requests, expected) => {
    const driver = await start();
    for (let request = 0; request < 3; request += 1) await driver.admitted(limits, 10);
    await driver.advance(30_000);
    for (let request = 0; request < requests; request += 1) await driver.admitUnder(incident, 10, limits);
    expect(await driver.quota(limits, { ...AN_INCIDENT, ...incident })).toMatchObject(expected);
  });

  it('an incident limit does not apply to a token-counting request', async () => {
    const driver = await start();
    const counted = { ...driver.demand({ requestsPerMinute: 9 }, 0, 'count'), incident: { ...AN_INCIDENT, requestsPerMinute: 0 } };
    expect((await driver.limiter.admit(counted)).admitted).toBe(true);
    await driver.release(ticketOf(await driver.limiter.admit(counted)), 'undone');
    expect(await driver.quota({ requestsPerMinute: 9 })).toMatchObject({ requestsRemaining: 8 });
  });
}
