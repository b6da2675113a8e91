import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type Clock, type Demand, type Instant, type PlanLimits,
  type QuotaSnapshot, type RateLimiter, assertNever, PassingMap,
} from '@tollgate/core';
import { AccountUse, quotaOf } from './account-use.js';
import type { TokensUsedSource } from './calendar-use.js';
import { exceededLimit } from './exceeded-limit.js';
import type { MinuteWindow } from './minute-window.js';
import { RecentMap } from './recent-map.js';

interface Admitted {
  readonly demand: Demand;
  readonly use: AccountUse;
  readonly window: MinuteWindow;
}

export interface MemoryRateLimiterPorts {
  readonly clock: Clock;
  /** Asked only for accounts whose plan caps days or months. */
  readonly usage: TokensUsedSource;
}

/**
 * The limiter of a single process. Deciding and counting happen in one synchronous step, so simultaneous requests
 * cannot share the last free place. Accounts without running requests are forgotten after one to two minutes.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #clock: Clock;
  readonly #usage: TokensUsedSource;
  readonly #running = new PassingMap<AdmissionTicket, Admitted>();
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

  /** Entries it holds, never fewer than the accounts it remembers; those not called for two minutes are gone at the next call. */
  get rememberedEntries(): number {
    return this.#busy.size + this.#idle.size + this.#counts.size;
  }

  get heldSlots(): number {
    return this.#running.size;
  }

  /** Waits only for the first look at a capped account's day; from the last look at the clock on nothing else can happen in between. */
  async admit(demand: Demand): Promise<Admission> {
    const { accountId } = demand;
    let now = this.#clock.now();
    let use = this.#useOf(accountId, now);
    while (needsCalendar(demand) && !use.calendar.isKnownAt(now)) {
      await use.calendar.read(this.#usage, accountId, now);
      now = this.#clock.now();
      use = this.#useOf(accountId, now);
    }
    const exceeded = exceededLimit(demand, use, now);
    if (exceeded !== null) return { ...exceeded, quota: quotaOf(use, demand.limits, now) };
    return { admitted: true, ticket: this.#take(demand, use, now), quota: quotaOf(use, demand.limits, now) };
  }

  release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    const running = this.#running.get(ticket);
    if (running !== null) this.#endGeneration(ticket, running, end);
    else this.#endCount(ticket, end);
    return Promise.resolve();
  }

  quota(accountId: AccountId, limits: PlanLimits): Promise<QuotaSnapshot> {
    return Promise.resolve(quotaOf(this.#find(accountId), limits, this.#clock.now()));
  }

  #take(demand: Demand, use: AccountUse, now: Instant): AdmissionTicket {
    const ticket = String(this.#tickets += 1) as AdmissionTicket;
    const admitted = { demand, use, window: use.count(countedTokens(demand), now) };
    if (demand.kind === 'count') {
      this.#counts.set(ticket, admitted, now);
      this.#idle.set(demand.accountId, use, now);
      return ticket;
    }
    use.takeSlot(demand.tokens);
    this.#running.set(ticket, admitted);
    this.#busy.set(demand.accountId, use);
    return ticket;
  }

  #endGeneration(ticket: AdmissionTicket, { demand, use, window }: Admitted, end: AdmissionEnd): void {
    const now = this.#clock.now();
    this.#running.delete(ticket);
    use.freeSlot(demand.tokens);
    switch (end.kind) {
      case 'undone': use.uncount(window, demand.tokens); break;
      case 'unserved': window.tokens -= demand.tokens; break;
      case 'served': use.calendar.add(end.tokens, now); break;
      default: assertNever(end);
    }
    if (use.slots > 0) return;
    this.#busy.delete(demand.accountId);
    this.#idle.set(demand.accountId, use, now);
  }

  #endCount(ticket: AdmissionTicket, end: AdmissionEnd): void {
    const counted = this.#counts.get(ticket);
    if (counted === undefined) return;
    this.#counts.delete(ticket);
    if (end.kind === 'undone') counted.use.uncount(counted.window, 0);
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

function needsCalendar({ kind, limits }: Demand): boolean {
  return kind === 'generation' && (limits.tokensPerDay !== null || limits.tokensPerMonth !== null);
}

function countedTokens(demand: Demand): number {
  return demand.kind === 'count' ? 0 : demand.tokens;
}
