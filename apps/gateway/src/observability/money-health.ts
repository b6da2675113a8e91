import {
  type AccountId, type Balance, type Booked, BrokenInvariant, type Checkpoint, type Clock, type CreditCommand, type CreditOutcome, type ForgottenReservations, type Instant, later, type LeaseRenewal, type Ledger,
  type MoneyAct, type MoneyActOutcome, type ProcessId, type ReservationId, type ReserveCommand, type ReserveOutcome, type ServiceTokens,
  type SettleCommand, type SettleOutcome, type SweptReservations,
} from '@tollgate/core';
import type { Logger } from 'pino';

const WINDOW_MILLISECONDS = 10_000;
const BUCKET_MILLISECONDS = 1_000;
const MIN_CALLS = 5;
/** Half. */
const FAILING_SHARE = 2;
/** A tenth. */
const SERVING_SHARE = 10;
const FIRST_QUIET_MILLISECONDS = 15_000;
const MAX_QUIET_MILLISECONDS = 300_000;

/** Calls of one second. Stores one account's name, and whether there were others. */
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
  /** Several accounts failed, or only one called. */
  readonly isGeneral: boolean;
}

/** `trying`: ready on trial after a quiet time. */
type State = 'serving' | 'failing' | 'trying';

/**
 * Whether the store accepts reservations and settlements, over ten seconds. Fails when half of at least five failed, for several accounts
 * or the only one; recovers when at most a tenth fails. Without calls, a failing store is tried after 15 s, doubling with each failed trial
 * up to 300 s.
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

  /** Since the start. */
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
    this.log.error({ calls, failed }, 'the database accepts no reservations or settlements; this gateway reports that it is not ready');
  }

  #try(): void {
    this.#state = 'trying';
    this.log.info('no reservation or settlement failed for a while; this gateway reports that it is ready');
  }

  #serve(): void {
    this.#state = 'serving';
    this.#quietMilliseconds = FIRST_QUIET_MILLISECONDS;
    this.log.info('the database accepts reservations and settlements again');
  }
}

/** More than can run; the oldest is forgotten. */
export const MAX_RESERVATIONS = 100_000;

/** Reports the outcomes of a ledger. Refusals and invalid commands are no failures. */
export class WatchedLedger implements Ledger {
  /** Of unsettled reservations: settlements do not name their account. */
  readonly #accounts = new Map<ReservationId, AccountId>();

  constructor(private readonly ledger: Ledger, private readonly health: Pick<MoneyHealth, 'succeeded' | 'failed'>) {}

  balanceOf(accountId: AccountId): Promise<Balance | null> {
    return this.ledger.balanceOf(accountId);
  }

  credit(command: CreditCommand): Promise<CreditOutcome> {
    return this.ledger.credit(command);
  }

  book(act: MoneyAct): Promise<MoneyActOutcome> {
    return this.ledger.book(act);
  }

  async reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    const outcome = await this.#watched(this.ledger.reserve(command), command.facts.accountId);
    if (outcome.outcome === 'reserved') this.#remember(command);
    return outcome;
  }

  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    return this.ledger.extend(id, amount);
  }

  async settle(command: SettleCommand): Promise<SettleOutcome> {
    const settlement = await this.#watched(this.ledger.settle(command), this.#accounts.get(command.reservationId) ?? null);
    this.#accounts.delete(command.reservationId);
    return settlement;
  }

  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal> {
    return this.ledger.checkpoint(checkpoint);
  }

  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    return this.ledger.sweep(now, onSwept);
  }

  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]> {
    return this.ledger.sweepForgotten(forgotten);
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.ledger.retire(ownerId);
  }

  #remember({ reservationId, facts: { accountId } }: ReserveCommand): void {
    const [oldest] = this.#accounts.size < MAX_RESERVATIONS ? [] : this.#accounts.keys();
    if (oldest !== undefined) this.#accounts.delete(oldest);
    this.#accounts.set(reservationId, accountId);
  }

  async #watched<T>(work: Promise<T>, account: AccountId | null): Promise<T> {
    try {
      const done = await work;
      this.health.succeeded(account);
      return done;
    } catch (failure) {
      if (!(failure instanceof BrokenInvariant)) this.health.failed(account);
      throw failure;
    }
  }
}
