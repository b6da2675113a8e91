import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, assertNever, type BindingLimits, type Clock, decideAdmission,
  type Demand, type Instant, MILLISECONDS_PER_MINUTE, NOTHING_COUNTED, quotaOf, type QuotaSnapshot, type RateLimiter, refusedAdmission, TransientMap,
} from '@tollgate/core';
import { AccountUse, type MinuteCounter, type MinuteWindow, type TokensUsedSource } from './account-use.js';

/** Stores entries for at least one minute after they were last set. Drops a whole generation at a time, so that no call iterates over the entries. */
class RecentMap<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #turnedAt: Instant;

  constructor(now: Instant) {
    this.#turnedAt = now;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value, now: Instant): void {
    this.#turnWhenDue(now);
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Also starts a new generation if the clock was set back by a minute; otherwise entries would stay until the clock reaches the old time. */
  #turnWhenDue(now: Instant): void {
    if (Math.abs(now - this.#turnedAt) < MILLISECONDS_PER_MINUTE) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnedAt = now;
  }
}

/** Counter and window in which an admission was counted. */
interface Counted {
  readonly counter: MinuteCounter;
  readonly window: MinuteWindow;
}

interface Admitted {
  readonly demand: Demand;
  readonly use: AccountUse;
  readonly plan: Counted;
  readonly incident: Counted | null;
}

export interface MemoryRateLimiterPorts {
  readonly clock: Clock;
  /** Read only for accounts whose plan has daily or monthly caps. */
  readonly usage: TokensUsedSource;
}

/**
 * Limits within one process. Each decision and its counting are one synchronous step, so concurrent requests cannot both take the last slot. Accounts
 * without running requests are forgotten at the first call after one to two minutes.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #usage: TokensUsedSource;
  readonly #running = new TransientMap<AdmissionTicket, Admitted>();
  readonly #counts: RecentMap<AdmissionTicket, Admitted>;
  readonly #busy = new Map<AccountId, AccountUse>();
  readonly #idle: RecentMap<AccountId, AccountUse>;
  #tickets = 0;

  constructor({ clock, usage }: MemoryRateLimiterPorts) {
    this.#clock = clock;
    this.#usage = usage;
    this.#idle = new RecentMap(clock.now());
    this.#counts = new RecentMap(clock.now());
  }

  /** Number of remembered accounts and token-counting requests. It includes outdated ones, which are dropped at a later call. */
  get rememberedEntries(): number {
    return this.#busy.size + this.#idle.size + this.#counts.size;
  }

  get heldSlots(): number {
    return this.#running.size;
  }

  /** Waits only to read a capped account's tokens: at the account's first demand of a day, and at its first demand after it was forgotten. */
  async admit(demand: Demand): Promise<Admission> {
    for (;;) {
      const now = this.#clock.now();
      const use = this.#useOf(demand.accountId, now);
      const decision = decideAdmission(demand, use.countsFor(demand), now);
      switch (decision.decision) {
        case 'admit': return { admitted: true, ticket: this.#take(demand, use, now), quota: quotaOf(demand, use.readingFor(demand.incident, now)) };
        case 'refuse': return refusedAdmission(decision.exceeded, demand, use.readingFor(demand.incident, now));
        case 'read-calendar': await use.calendar.read(this.#usage, demand.accountId, now); break;
        default: assertNever(decision);
      }
    }
  }

  async release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    const running = this.#running.get(ticket);
    if (running !== undefined) this.#endGeneration(ticket, running, end);
    else this.#endCount(ticket, end);
  }

  quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot> {
    const now = this.#clock.now();
    const reading = this.#find(accountId)?.readingFor(binding.incident, now) ?? { now, plan: NOTHING_COUNTED, incident: NOTHING_COUNTED };
    return Promise.resolve(quotaOf(binding, reading));
  }

  #take(demand: Demand, use: AccountUse, now: Instant): AdmissionTicket {
    const ticket = String(this.#tickets += 1) as AdmissionTicket;
    if (demand.kind === 'count') {
      const admitted = { demand, use, plan: { counter: use.plan, window: use.plan.count(0, now) }, incident: null };
      this.#counts.set(ticket, admitted, now);
      this.#idle.set(demand.accountId, use, now);
      return ticket;
    }
    const incident = use.incident(demand.incident);
    const admitted = { demand, use, plan: occupy(use.plan, demand, now), incident: incident === null ? null : occupy(incident, demand, now) };
    use.addInFlight(demand.tokens);
    this.#running.set(ticket, admitted);
    this.#busy.set(demand.accountId, use);
    return ticket;
  }

  #endGeneration(ticket: AdmissionTicket, { demand, use, plan, incident }: Admitted, end: AdmissionEnd): void {
    const now = this.#clock.now();
    this.#running.delete(ticket);
    vacate(plan, demand, end);
    if (incident !== null) vacate(incident, demand, end);
    use.removeInFlight(demand.tokens);
    if (end.kind === 'served') use.calendar.add(end.tokens, now);
    if (use.plan.slots > 0) return;
    this.#busy.delete(demand.accountId);
    this.#idle.set(demand.accountId, use, now);
  }

  #endCount(ticket: AdmissionTicket, end: AdmissionEnd): void {
    const counted = this.#counts.get(ticket);
    if (counted === undefined) return;
    this.#counts.delete(ticket);
    if (end.kind === 'undone') counted.plan.counter.uncount(counted.plan.window, 0);
  }

  #find(accountId: AccountId): AccountUse | null {
    return this.#busy.get(accountId) ?? this.#idle.get(accountId) ?? null;
  }

  #useOf(accountId: AccountId, now: Instant): AccountUse {
    const known = this.#find(accountId);
    if (known !== null) return known;
    const fresh = new AccountUse();
    this.#idle.set(accountId, fresh, now);
    return fresh;
  }
}

/** Counts the request and takes a slot for it. */
function occupy(counter: MinuteCounter, { tokens }: Demand, now: Instant): Counted {
  counter.takeSlot();
  return { counter, window: counter.count(tokens, now) };
}

/** Frees the slot. An undone request is no longer counted, and an unserved one returns its tokens. */
function vacate({ counter, window }: Counted, { tokens }: Demand, end: AdmissionEnd): void {
  counter.freeSlot();
  switch (end.kind) {
    case 'undone': counter.uncount(window, tokens); break;
    case 'unserved': window.tokens -= tokens; break;
    case 'served': break;
    default: assertNever(end);
  }
}
