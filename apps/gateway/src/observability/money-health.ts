import { type AccountId, type Clock, type Instant, later } from '@tollgate/core';
import type { Logger } from 'pino';

const WINDOW_MILLISECONDS = 10_000;
const BUCKET_MILLISECONDS = 1_000;
const MIN_CALLS = 5;
/** The store counts as failing if the failed calls, multiplied by this, reach the number of calls: if at least half failed. */
const FAILING_SHARE = 2;
/** The store counts as recovered if the failed calls, multiplied by this, do not exceed the number of calls: if at most a tenth failed. */
const SERVING_SHARE = 10;
const FIRST_QUIET_MILLISECONDS = 15_000;
const MAX_QUIET_MILLISECONDS = 300_000;

/** Calls within one second, with the first account that called, the first whose call failed, and whether there were others. */
interface Bucket {
  readonly startedAt: Instant;
  calls: number;
  failed: number;
  readonly caller: AccountId | null;
  hasSeveralCallers: boolean;
  failing: AccountId | null;
  isFailingForSeveral: boolean;
}

interface Tally {
  readonly calls: number;
  readonly failed: number;
  /** True if several accounts failed, or if only one called. */
  readonly isGeneral: boolean;
}

/** `trying`: ready on trial after a quiet time. */
type State = 'serving' | 'failing' | 'trying';

/**
 * Knows whether the store accepted the reservations and settlements of the last ten seconds. The store fails when at least half of at least five
 * calls failed, for several accounts or the only one that called. It recovers when at most a tenth of them fails. A failing store is tried once all
 * recent calls succeed, or 15 s after its last failure; each failed trial doubles this time, up to 300 s.
 */
export class MoneyHealth {
  #buckets: Bucket[] = [];
  #state: State = 'serving';
  #lastFailureAt: Instant | null = null;
  #quietMilliseconds = FIRST_QUIET_MILLISECONDS;
  #failures = 0;

  constructor(private readonly clock: Clock, private readonly log: Logger) {}

  get isFailing(): boolean {
    if (this.#state === 'failing') this.#judge();
    return this.#state === 'failing';
  }

  /** Number of failed calls since the start of the process. */
  get failures(): number {
    return this.#failures;
  }

  /** `null` if the call names no account. */
  succeeded(account: AccountId | null): void {
    this.#bucketOf(account).calls += 1;
    if (this.#state !== 'serving') this.#judge();
  }

  failed(account: AccountId | null): void {
    const bucket = this.#bucketOf(account);
    bucket.calls += 1;
    bucket.failed += 1;
    bucket.isFailingForSeveral ||= bucket.failing !== null && account !== null && bucket.failing !== account;
    bucket.failing ??= account;
    this.#failures += 1;
    this.#lastFailureAt = this.clock.now();
    this.#judge();
  }

  #bucketOf(account: AccountId | null): Bucket {
    const now = this.clock.now();
    const last = this.#buckets.at(-1);
    if (last !== undefined && now - last.startedAt < BUCKET_MILLISECONDS) {
      last.hasSeveralCallers ||= account !== null && last.caller !== null && last.caller !== account;
      return last;
    }
    this.#expire();
    const bucket: Bucket = { startedAt: now, calls: 0, failed: 0, caller: account, hasSeveralCallers: false, failing: null, isFailingForSeveral: false };
    this.#buckets.push(bucket);
    return bucket;
  }

  #expire(): void {
    const since = this.clock.now() - WINDOW_MILLISECONDS;
    while (this.#buckets[0] !== undefined && this.#buckets[0].startedAt <= since) this.#buckets.shift();
  }

  #tally(): Tally {
    this.#expire();
    let [calls, failed] = [0, 0];
    const callers = new Set<AccountId>();
    const failing = new Set<AccountId>();
    let [severalCall, severalFail] = [false, false];
    for (const bucket of this.#buckets) {
      calls += bucket.calls;
      failed += bucket.failed;
      severalCall ||= bucket.hasSeveralCallers;
      severalFail ||= bucket.isFailingForSeveral;
      if (bucket.caller !== null) callers.add(bucket.caller);
      if (bucket.failing !== null) failing.add(bucket.failing);
    }
    return { calls, failed, isGeneral: severalFail || failing.size > 1 || !(severalCall || callers.size > 1) };
  }

  #judge(): void {
    const { calls, failed, isGeneral } = this.#tally();
    const isBad = isGeneral && FAILING_SHARE * failed >= calls && failed > 0;
    const isGood = SERVING_SHARE * failed <= calls;
    switch (this.#state) {
      case 'serving':
        if (isBad && calls >= MIN_CALLS) this.#fail();
        break;
      case 'trying':
        if (isBad) {
          this.#quietMilliseconds = Math.min(2 * this.#quietMilliseconds, MAX_QUIET_MILLISECONDS);
          this.#fail();
        } else if (isGood && calls >= MIN_CALLS) {
          this.#serve();
        }
        break;
      case 'failing':
        if (isGood && calls >= MIN_CALLS) this.#serve();
        else if ((calls > 0 && failed === 0) || this.#isQuiet) this.#try();
    }
  }

  get #isQuiet(): boolean {
    return this.#lastFailureAt === null || this.clock.now() >= later(this.#lastFailureAt, this.#quietMilliseconds);
  }

  #fail(): void {
    const { calls, failed } = this.#tally();
    this.#state = 'failing';
    this.log.error({ calls, failed }, 'the database refuses many reservations or settlements; this gateway reports that it is not ready');
  }

  #try(): void {
    this.#state = 'trying';
    this.log.info('no reservation or settlement has failed recently; this gateway reports that it is ready again');
  }

  #serve(): void {
    this.#state = 'serving';
    this.#quietMilliseconds = FIRST_QUIET_MILLISECONDS;
    this.log.info('the database accepts reservations and settlements again');
  }
}
