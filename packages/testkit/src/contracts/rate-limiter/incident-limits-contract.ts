import { expect, it } from '@jest/globals';
import {
  type Admission, type AdmissionTicket, type IncidentLimit, type Instant, later, type LimitName, MILLISECONDS_PER_MINUTE, type ModelSlug, type PlanLimits,
  tokenCount,
} from '@tollgate/core';
import { AN_INCIDENT, type StartLimiter, ticketOf } from './rate-limiter-subject.js';

type Refused = Extract<Admission, { admitted: false }>;

function refused(admission: Admission): Pick<Refused, 'limit' | 'incidentModel' | 'retryAfterSeconds' | 'neverFits'> {
  if (admission.admitted) throw new Error('the demand was admitted');
  const { limit, incidentModel, retryAfterSeconds, neverFits } = admission;
  return { limit, incidentModel, retryAfterSeconds, neverFits };
}

/** Limits of one model beside those of the plan. */
export function incidentLimitsContract(start: StartLimiter): void {
  const { model } = AN_INCIDENT;

  it.each<[LimitName, Partial<IncidentLimit>, number]>([
    ['requests-per-minute', { requestsPerMinute: 7 }, 0],
    ['tokens-per-minute', { tokensPerMinute: tokenCount(70) }, 10],
    ['concurrent-requests', { concurrentRequests: 7 }, 0],
  ])('admits exactly 7 of 200 simultaneous demands when an incident limit of %s suffices for 7, and says that it was the model\'s', async (limit, incident, tokens) => {
    const driver = await start();
    const admissions = await Promise.all(Array.from({ length: 200 }, () => driver.admitUnder(incident, tokens)));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(7);
    const retryAfterSeconds = limit === 'concurrent-requests' ? 2 : 60;
    expect(refused(await driver.admitUnder(incident, tokens))).toEqual({ limit, incidentModel: model, retryAfterSeconds, neverFits: false });
  });

  it('counts the requests to its own model alone, while the plan counts those to every model', async () => {
    const driver = await start();
    const [limits, incident] = [{ requestsPerMinute: 5 }, { requestsPerMinute: 2 }];
    for (let request = 0; request < 2; request += 1) await driver.admitted(limits);
    await driver.admitUnder({ ...incident, model: 'large' as ModelSlug }, 0, limits);
    for (let request = 0; request < 2; request += 1) expect((await driver.admitUnder(incident, 0, limits)).admitted).toBe(true);
    expect(refused(await driver.admitUnder({ requestsPerMinute: 9 }, 0, limits))).toMatchObject({ limit: 'requests-per-minute', incidentModel: null });
    expect(refused(await driver.admitUnder(incident, 0, { requestsPerMinute: 6 }))).toMatchObject({ limit: 'requests-per-minute', incidentModel: model });
    expect((await driver.admit({ requestsPerMinute: 6 })).admitted).toBe(true);
  });

  it('a refusal by the model\'s limit takes nothing from the plan, and one by the plan nothing from the model', async () => {
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

  it('opens its window with the first request to the model, whenever the account\'s own began', async () => {
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

  it('begins with new counts when it is set again', async () => {
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

  it('undone gives the request, its tokens and its slot back to the plan and to the model, once', async () => {
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

  it('undone takes the window with it where nothing else counts in it, and nothing from a later one', async () => {
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

  it('unserved keeps the request counted and gives its tokens back; served gives back the slot alone', async () => {
    const driver = await start();
    const incident = { tokensPerMinute: tokenCount(20), requestsPerMinute: 3, concurrentRequests: 1 };
    await driver.release(ticketOf(await driver.admitUnder(incident, 20)), 'unserved');
    await driver.serve(ticketOf(await driver.admitUnder(incident, 20)), 1);
    expect(refused(await driver.admitUnder(incident, 1))).toMatchObject({ limit: 'tokens-per-minute', incidentModel: model });
    expect((await driver.admitUnder(incident, 0)).admitted).toBe(true);
    expect(refused(await driver.admitUnder(incident, 0))).toMatchObject({ limit: 'requests-per-minute', incidentModel: model });
  });

  it('says of a demand above the whole of the model\'s limit that it never fits', async () => {
    const driver = await start();
    expect(refused(await driver.admitUnder({ tokensPerMinute: tokenCount(9) }, 10))).toMatchObject({ limit: 'tokens-per-minute', neverFits: true });
  });

  it('asks to come back when the limit ends, if that is sooner than its window', async () => {
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
  ])('the headers show whichever has fewer requests left: %s', async (_name, limits, incident, requests, expected) => {
    const driver = await start();
    for (let request = 0; request < 3; request += 1) await driver.admitted(limits, 10);
    await driver.advance(30_000);
    for (let request = 0; request < requests; request += 1) await driver.admitUnder(incident, 10, limits);
    expect(await driver.quota(limits, { ...AN_INCIDENT, ...incident })).toMatchObject(expected);
  });

  it('a count of tokens meets no incident limit', async () => {
    const driver = await start();
    const counted = { ...driver.demand({ requestsPerMinute: 9 }, 0, 'count'), incident: { ...AN_INCIDENT, requestsPerMinute: 0 } };
    expect((await driver.limiter.admit(counted)).admitted).toBe(true);
    await driver.release(ticketOf(await driver.limiter.admit(counted)), 'undone');
    expect(await driver.quota({ requestsPerMinute: 9 })).toMatchObject({ requestsRemaining: 8 });
  });
}
