import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type Demand, type IncidentLimit, type Instant, instant,
  invariant, later, type ModelSlug, type PlanLimits, type QuotaSnapshot, type RateLimiter, type RequestId, startOfUtcDay, tokenCount,
  type TokensUsed, utcMonthOf,
} from '@tollgate/core';

export interface RateLimiterSetting {
  readonly startAt: Instant;
  /** Returns the tokens that the account used in the day and the month of `at`, as the ledger does. */
  readonly tokensUsed: (accountId: AccountId, at: Instant) => Promise<TokensUsed>;
}

export interface RateLimiterSubject {
  readonly limiter: RateLimiter;
  advance(milliseconds: number): void | Promise<void>;
  close?(): Promise<void>;
}

export type MakeRateLimiter = (setting: RateLimiterSetting) => RateLimiterSubject | Promise<RateLimiterSubject>;

/** Limits so high that a test reaches only those that it lowers itself. */
export const WIDE_LIMITS: PlanLimits = {
  requestsPerMinute: 1_000_000,
  tokensPerMinute: tokenCount(1_000_000_000),
  concurrentRequests: 1_000_000,
  maxContextTokens: tokenCount(128_000),
  activeKeys: 5,
  tokensPerDay: null,
  tokensPerMonth: null,
};

/** An incident limit without maximums. A test sets those that it reaches. */
export const AN_INCIDENT: IncidentLimit = {
  model: 'small:7b' as ModelSlug, setAt: instant(1_000), requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null, expiresAt: null,
};

export const ALICE = 'acct_alice' as AccountId;
/** Noon in the middle of a month. The time until midnight is a whole number of seconds. */
export const MID_MONTH = instant(Date.UTC(2026, 10, 18, 12));

interface EndedRequest { readonly accountId: AccountId; readonly at: Instant; readonly tokens: number }

/** Calls a limiter as the use case does, and provides its usage source from the requests that it has recorded. */
export class RateLimiterDriver {
  readonly #ended: EndedRequest[] = [];
  #requests = 0;
  #now: Instant;
  #subject: RateLimiterSubject | null = null;
  /** How often the limiter has read the usage source. */
  reads = 0;
  /** The usage source throws this error unless it is `null`. */
  failure: Error | null = null;

  constructor(startAt: Instant = MID_MONTH) {
    this.#now = startAt;
  }

  static async start(make: MakeRateLimiter, startAt: Instant = MID_MONTH): Promise<RateLimiterDriver> {
    const driver = new RateLimiterDriver(startAt);
    driver.#subject = await make({ startAt, tokensUsed: (accountId, at) => driver.#tokensUsed(accountId, at) });
    return driver;
  }

  get limiter(): RateLimiter {
    invariant(this.#subject !== null, 'a driver is made by start');
    return this.#subject.limiter;
  }

  get now(): Instant {
    return this.#now;
  }

  async advance(milliseconds: number): Promise<void> {
    this.#now = later(this.#now, milliseconds);
    await this.#subject?.advance(milliseconds);
  }

  async advanceTo(at: Instant): Promise<void> {
    await this.advance(at - this.#now);
  }

  async close(): Promise<void> {
    await this.#subject?.close?.();
  }

  demand(limits: Partial<PlanLimits>, tokens = 0, kind: Demand['kind'] = 'generation'): Demand {
    this.#requests += 1;
    return {
      accountId: ALICE, requestId: `req_${this.#requests}` as RequestId, limits: { ...WIDE_LIMITS, ...limits }, incident: null, kind,
      tokens: tokenCount(tokens),
    };
  }

  /** Asks for admission to the model of the incident limit. */
  admitUnder(incident: Partial<IncidentLimit>, tokens = 0, limits: Partial<PlanLimits> = {}): Promise<Admission> {
    return this.limiter.admit({ ...this.demand(limits, tokens), incident: { ...AN_INCIDENT, ...incident } });
  }

  /** Returns the figures for the headers. Limits that are not given are very high. */
  quota(limits: Partial<PlanLimits> = {}, incident: IncidentLimit | null = null): Promise<QuotaSnapshot> {
    return this.limiter.quota(ALICE, { limits: { ...WIDE_LIMITS, ...limits }, incident });
  }

  admit(limits: Partial<PlanLimits>, tokens = 0): Promise<Admission> {
    return this.limiter.admit(this.demand(limits, tokens));
  }

  async admitted(limits: Partial<PlanLimits>, tokens = 0): Promise<AdmissionTicket> {
    return ticketOf(await this.admit(limits, tokens));
  }

  /** Records the tokens, then releases the ticket, as the use case does. */
  async serve(ticket: AdmissionTicket, tokens: number): Promise<void> {
    this.recordUse(tokens);
    await this.limiter.release(ticket, { kind: 'served', tokens: tokenCount(tokens) });
  }

  release(ticket: AdmissionTicket, kind: Exclude<AdmissionEnd['kind'], 'served'>): Promise<void> {
    return this.limiter.release(ticket, { kind });
  }

  /** Records the tokens in the usage source only. */
  recordUse(tokens: number, accountId: AccountId = ALICE): void {
    this.#ended.push({ accountId, at: this.#now, tokens });
  }

  async #tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    this.reads += 1;
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    const sum = (counts: (ended: EndedRequest) => boolean): number =>
      this.#ended.filter((ended) => ended.accountId === accountId && counts(ended)).reduce((total, { tokens }) => total + tokens, 0);
    return {
      day: tokenCount(sum((ended) => startOfUtcDay(ended.at) === startOfUtcDay(at))),
      month: tokenCount(sum((ended) => utcMonthOf(ended.at) === utcMonthOf(at))),
    };
  }
}

/** The ticket of an admission. Throws if the demand was refused. */
export function ticketOf(admission: Admission): AdmissionTicket {
  invariant(admission.admitted, `the demand is admitted, not refused: ${JSON.stringify(admission)}`);
  return admission.ticket;
}

/** Starts a limiter, by default in the middle of a month. */
export type StartLimiter = (startAt?: Instant) => Promise<RateLimiterDriver>;

type Refused = Extract<Admission, { admitted: false }>;

/** The refusal of a demand. Throws if the demand was admitted. */
export function refusal(admission: Admission): Omit<Refused, 'admitted' | 'incidentModel' | 'figures' | 'quota'> {
  if (admission.admitted) throw new Error('the demand was admitted');
  const { limit, retryAfterSeconds, neverFits } = admission;
  return { limit, retryAfterSeconds, neverFits };
}
