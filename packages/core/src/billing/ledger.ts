import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ProcessId, ReservationId } from '../primitives/primitives.js';
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
  /** True if the process had no lease: at its first checkpoint, or after a sweep that found it expired and ended its reservations. */
  readonly wasAbsent: boolean;
  /** The caller's clock minus the clock that decides about leases; `null` if they are the same clock. */
  readonly clockAheadMilliseconds: number | null;
}

/** The reservations of one process that a sweep ended. */
export interface SweptReservations {
  readonly ownerId: ProcessId;
  readonly ended: number;
  /** `lease`: the process has no lease. `deadline`: the reservations expired; the process may be alive. */
  readonly cause: 'lease' | 'deadline';
  /** Since the last renewal of its lease; `null` if unknown. */
  readonly silentMilliseconds: number | null;
}

export interface ForgottenReservations {
  readonly ownerId: ProcessId;
  /** Later reservations may not have reached their process yet. */
  readonly reservedBefore: Instant;
  /** True if the process runs the request or has yet to deliver its settlement. Called after the reservation was read. */
  readonly isKnown: (id: ReservationId) => boolean;
  readonly at: Instant;
}

/**
 * The available balance is never negative for any reader. What changes a balance is returned as `Booked`, and announced to the
 * observers of the store once it is committed.
 */
export interface Ledger {
  /** `null` if the account does not exist. */
  balanceOf(accountId: AccountId): Promise<Balance | null>;
  /** A top-up. */
  credit(command: CreditCommand): Promise<CreditOutcome>;
  /** Writes one entry and updates the balance, atomically. */
  book(act: MoneyAct): Promise<MoneyActOutcome>;
  /**
   * Reserves the amount, or the whole available balance if that is at least the floor; atomic. If the key has a limit, it also
   * bounds the amount. A repeated reservation id changes nothing and returns the existing reservation.
   */
  reserve(command: ReserveCommand): Promise<ReserveOutcome>;
  /** Extends a held reservation by exactly `amount`, or returns why it cannot be paid. Throws if the reservation is no longer held. */
  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome>;
  /**
   * In one transaction: reservation state, balance, ledger entry, usage record and daily roll-up. The charge is clipped to what
   * can be paid. Repeating it changes nothing and returns the first settlement. After a sweep, the owner may settle once more for
   * the cost beyond the checkpoint; the result and the usage record then combine both charges.
   */
  settle(command: SettleCommand): Promise<SettleOutcome>;
  /**
   * Renews a process's lease and stores the usage of its running requests, which the sweeper charges if the process dies. A
   * process takes its first lease before it reserves: an owner without a lease counts as dead.
   */
  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal>;
  /**
   * Ends reservations of processes without a lease, and expired ones, at their last checkpoint. Throws if one of them cannot be
   * ended, after it ended the others.
   */
  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<readonly Booked[]>;
  /** As `sweep`, for reservations that their living process does not know: a restored database has lost their settlements. */
  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]>;
  /** Ends the lease of a process that stops. */
  retire(ownerId: ProcessId): Promise<void>;
}

export interface LedgerDifference {
  /** The number of the violated invariant in the documentation: `I3`. */
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

/** Recomputes the stored sums from one consistent snapshot. Read-only. */
export interface LedgerAudit {
  verify(): Promise<LedgerVerification>;
}

/** Reads one consistent snapshot. Read-only. */
export interface RequestBooks {
  /** Accepts the id of a request or of its reservation; `null` if the ledger knows neither. */
  find(id: string): Promise<BookedRequest | null>;
}
