import { type AccountId, type Clock, type ErrorCode, type Instant, instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';

/** Hours that are counted, including the current one. */
const HOURS = 24;
export const MAX_ACCOUNTS = 10_000;

interface RefusalCount {
  readonly code: ErrorCode;
  readonly count: number;
}

/** Counts of refusals by error code, most frequent first. */
export interface RefusalReport {
  /** Beginning of the counts. */
  readonly since: Instant;
  readonly counts: readonly RefusalCount[];
}

function hourOf(at: Instant): number {
  return Math.floor(at / MILLISECONDS_PER_HOUR);
}

/** Hourly counts of one error code. */
class HourlyCount {
  readonly #counts = new Uint32Array(HOURS);
  #newest: number;

  constructor(hour: number) {
    this.#newest = hour;
  }

  get newest(): number {
    return this.#newest;
  }

  add(hour: number): void {
    for (let passed = Math.max(this.#newest, hour - HOURS) + 1; passed <= hour; passed += 1) this.#counts[passed % HOURS] = 0;
    this.#newest = Math.max(this.#newest, hour);
    const place = hour % HOURS;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  /** Total of the 24 hours up to this hour. */
  total(hour: number): number {
    return this.#counts.reduce((sum, count, place) => {
      const age = (((this.#newest - place) % HOURS) + HOURS) % HOURS;
      return this.#newest - age > hour - HOURS ? sum + count : sum;
    }, 0);
  }
}

/** Refusals of one account by code. */
class AccountRefusals {
  readonly #byCode = new Map<ErrorCode, HourlyCount>();
  #newest = 0;

  add(code: ErrorCode, hour: number): void {
    const known = this.#byCode.get(code) ?? new HourlyCount(hour);
    this.#byCode.set(code, known);
    known.add(hour);
    this.#newest = hour;
  }

  isOver(hour: number): boolean {
    return this.#newest <= hour - HOURS;
  }

  counts(hour: number): readonly RefusalCount[] {
    const counts = [...this.#byCode].map(([code, hourly]) => ({ code, count: hourly.total(hour) })).filter(({ count }) => count > 0);
    return counts.toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
  }
}

/**
 * Counts this process's refusals, which leave no record, by account and code, in 24 hourly buckets. The counts are in memory only. Accounts beyond
 * the first 10,000 share one count.
 */
export class RefusalCounts {
  readonly #startedAt: Instant;
  /** Least recently refused first. */
  readonly #accounts = new Map<AccountId, AccountRefusals>();
  /** Refusals of accounts beyond the first 10,000. */
  readonly #others = new AccountRefusals();

  constructor(private readonly clock: Clock) {
    this.#startedAt = clock.now();
  }

  /** Called at the end of every request. Settled requests have a record and do not count. */
  requestDone({ refusal, accountId, outcome }: HttpExchange): void {
    if (refusal === null || accountId === null || outcome !== null) return;
    this.add(accountId, refusal);
  }

  add(accountId: AccountId, code: ErrorCode): void {
    const hour = hourOf(this.clock.now());
    const refusals = this.#accounts.get(accountId) ?? this.#newAccount(hour);
    if (refusals !== this.#others) {
      this.#accounts.delete(accountId);
      this.#accounts.set(accountId, refusals);
    }
    refusals.add(code, hour);
  }

  /** Empty for accounts beyond the first 10,000, which are counted together. */
  of(accountId: AccountId): RefusalReport {
    return this.#report(this.#accounts.get(accountId));
  }

  others(): RefusalReport {
    return this.#report(this.#others);
  }

  #report(refusals: AccountRefusals | undefined): RefusalReport {
    const hour = hourOf(this.clock.now());
    const first = instant((hour - HOURS + 1) * MILLISECONDS_PER_HOUR);
    return { since: first < this.#startedAt ? this.#startedAt : first, counts: refusals?.counts(hour) ?? [] };
  }

  /** Replaces the least recently refused account if it has no recent refusals; otherwise returns the common count. */
  #newAccount(hour: number): AccountRefusals {
    if (this.#accounts.size < MAX_ACCOUNTS) return new AccountRefusals();
    const [oldest] = this.#accounts;
    if (oldest === undefined || !oldest[1].isOver(hour)) return this.#others;
    this.#accounts.delete(oldest[0]);
    return new AccountRefusals();
  }
}
