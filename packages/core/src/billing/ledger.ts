import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ProcessId, ReservationId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { Booked } from './booked.js';
import type { BookedRequest } from './booked-request.js';
import type { CreditCommand, CreditOutcome } from './credit.js';
import type { MoneyAct, MoneyActOutcome } from './money-act.js';
import type { ReservationProgress, ReserveCommand, ReserveOutcome, SettleCommand, SettleOutcome } from './reservation.js';

export interface Checkpoint {
  readonly ownerId: ProcessId;
  readonly progress: ReadonlyMap<ReservationId, ReservationProgress>;
  readonly at: Instant;
  /** The owner counts as alive until then. */
  readonly leaseExpiresAt: Instant;
}

export interface LeaseRenewal {
  /** True for the first checkpoint of the process, and for its first one after a sweep found its lease expired. */
  readonly wasAbsent: boolean;
  /** Caller's clock minus the clock of the leases; `null` if both read the same clock. */
  readonly clockAheadMilliseconds: number | null;
}

/** Reservations of requests that the process still runs. */
export interface Prolongation {
  readonly ownerId: ProcessId;
  readonly reservations: readonly ReservationId[];
  readonly at: Instant;
  readonly expiresAt: Instant;
}

/** Reservations of one process that a sweep ended. */
export interface SweptReservations {
  readonly ownerId: ProcessId;
  readonly ended: number;
  /** `lease`: the process has no valid lease. `deadline`: the reservations expired; the process may be alive. */
  readonly cause: 'lease' | 'deadline';
  /** Time since the process last renewed its lease; `null` if unknown. */
  readonly silentMilliseconds: number | null;
}

export interface ForgottenReservations {
  readonly ownerId: ProcessId;
  /** Later reservations are spared, because their process may not know them yet. */
  readonly reservedBefore: Instant;
  /** True if the process runs the request or still has to deliver its settlement. Called only after the reservation was read from the store. */
  readonly isKnown: (id: ReservationId) => boolean;
  readonly at: Instant;
}

/**
 * No reader ever sees a negative available balance. The store's observers are called after each commit of a money act or of a settlement, except a
 * late settlement without further cost. Reservations do not call them.
 */
export interface Ledger {
  /** `null` if the account does not exist. */
  balanceOf(accountId: AccountId): Promise<Balance | null>;
  credit(command: CreditCommand): Promise<CreditOutcome>;
  /**
   * Atomic: one entry and the change of the balance. Idempotent by reference, also after the credit's expiry. Throws `invalid_request` above
   * `MAX_BALANCE`, and if the expiry of a new credit is not in the future.
   */
  book(act: MoneyAct): Promise<MoneyActOutcome>;
  /**
   * Atomic. Reserves the amount or, if balance or key limit leave less, all that they leave, which must be at least the floor. A repeated id returns
   * the existing reservation, even if it has ended. For an unknown account, nothing is available.
   */
  reserve(command: ReserveCommand): Promise<ReserveOutcome>;
  /** Extends by exactly `amount` or not at all. Throws if the reservation is no longer held. */
  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome>;
  /**
   * Updates reservation, balance, ledger entries, usage record and daily roll-up in one transaction. Clips the charge to what can be paid and to
   * `atMost`. Idempotent: a repetition returns the first settlement, possibly with the current balance. After a sweep, the owner may settle once more
   * for the cost beyond the checkpoint; result and usage record then combine both charges. Throws for an unknown reservation.
   */
  settle(command: SettleCommand): Promise<SettleOutcome>;
  /**
   * Renews the process's lease, and stores the usage that is charged if the process dies. Required before the first reservation: an owner without a
   * lease counts as dead.
   */
  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal>;
  /** Moves the deadlines of the owner's reservations, never back. Has no effect on reservations that are no longer held. */
  prolong(prolongation: Prolongation): Promise<void>;
  /**
   * Ends reservations that have expired or whose process has no valid lease, and charges their last checkpoints. The process that sweeps may count as
   * alive without a lease. If a reservation cannot be ended, ends all others before it throws the first failure.
   */
  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<readonly Booked[]>;
  /**
   * Ends reservations that are unknown to their process although it is alive: their settlements were lost when the database was restored. Throws as
   * `sweep` does.
   */
  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]>;
  /** Ends the lease of a process that stops. */
  retire(ownerId: ProcessId): Promise<void>;
}

export interface LedgerDifference {
  /** Number of the invariant in the documentation, for example `I3`. */
  readonly invariant: string;
  readonly accountId: AccountId | null;
  readonly expected: string;
  readonly found: string;
}

export interface LedgerVerification {
  readonly accounts: number;
  readonly entries: number;
  readonly usageRecords: number;
  readonly differences: readonly LedgerDifference[];
}

/** Recomputes stored sums from one consistent snapshot. Read-only. */
export interface LedgerAudit {
  verify(): Promise<LedgerVerification>;
}

/** Reads all that is booked for one request, from one consistent snapshot. */
export interface RequestBooks {
  /** By request or reservation id; `null` if unknown. */
  find(id: string): Promise<BookedRequest | null>;
}
