import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ProcessId, ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { BookedRequest } from './booked-request.js';
import type { CreditCommand, CreditOutcome } from './credit.js';
import type { MoneyAct, MoneyActOutcome } from './money-act.js';
import type { ReservationProgress, ReserveCommand, ReserveOutcome, SettleCommand, Settlement } from './reservation.js';

export interface Checkpoint {
  readonly ownerId: ProcessId;
  readonly progress: ReadonlyMap<ReservationId, ReservationProgress>;
  readonly at: Instant;
  /** Until then the owner counts as alive. */
  readonly leaseExpiresAt: Instant;
}

/** What a renewal found. */
export interface LeaseRenewal {
  /** The process had no lease: its first one, or the process was taken for dead and what it held was ended. */
  readonly wasAbsent: boolean;
  /** How far the caller's clock is ahead of the one by which leases are judged; negative if behind, `null` if it is the same clock. */
  readonly clockAheadMilliseconds: number | null;
}

/** The reservations of one process that a sweep ended. */
export interface SweptReservations {
  readonly ownerId: ProcessId;
  readonly ended: number;
  /** `lease`: the process holds no lease. `deadline`: it may well be alive, but the reservations were past their deadline. */
  readonly cause: 'lease' | 'deadline';
  /** Since its lease was last renewed; `null` if that is not known. */
  readonly silentMilliseconds: number | null;
}

/** Reservations that a living process may not know of any more. */
export interface ForgottenReservations {
  readonly ownerId: ProcessId;
  /** Those made later may be on their way to their process still. */
  readonly reservedBefore: Instant;
  /** Whether the process runs the request or has its end still to deliver. Asked after the reservation was read. */
  readonly isKnown: (id: ReservationId) => boolean;
  readonly at: Instant;
}

/**
 * Balances, reservations and the append-only entries behind them.
 * Available balance is never negative, at any instant any reader can observe.
 */
export interface Ledger {
  /** `null` when there is no such account. */
  balanceOf(accountId: AccountId): Promise<Balance | null>;
  /** A top-up: the act of money that every installation has. */
  credit(command: CreditCommand): Promise<CreditOutcome>;
  /** Books an act of money as one entry of its kind, in one step with the balance. */
  book(act: MoneyAct): Promise<MoneyActOutcome>;
  /**
   * Sets the amount aside, or else all that is available if it reaches the floor; in one step.
   * Where the key has a limit, what is available is at most what is left of that, which is guarded in the same step.
   * Repeating a reservation id changes nothing and answers with what is set aside for it.
   */
  reserve(command: ReserveCommand): Promise<ReserveOutcome>;
  /** Grows a held reservation by `amount`, all of it, or says that the balance or the key's limit cannot pay it. Throws when it is not held any more. */
  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome>;
  /**
   * Ends a held reservation in one transaction: state, balance, ledger entry, usage record and daily roll-up.
   * The charge is clipped to what can be paid. Repeating it changes nothing and answers with the first settlement.
   * A reservation that the sweeper ended meanwhile may be charged once more, for what the checkpoint did not cover;
   * the answer, and the usage record as it is read from then on, state both charges as one.
   */
  settle(command: SettleCommand): Promise<Settlement>;
  /**
   * Renews a process's lease and stores what its running requests would be charged for if it died now.
   * A process takes its first lease before it reserves: an owner without a lease counts as dead.
   */
  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal>;
  /** Ends the held reservations of processes without a lease, and those past their deadline, at their checkpoints; says how many, and tells the listener of which processes. */
  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<number>;
  /**
   * Ends, as `sweep` does, the held reservations that their own living process does not know: a database that was set back has lost their
   * ends. Says how many.
   */
  sweepForgotten(forgotten: ForgottenReservations): Promise<number>;
  /** Gives up a process's lease, as it stops. */
  retire(ownerId: ProcessId): Promise<void>;
}

export interface LedgerDifference {
  /** The invariant that does not hold, by its number in the documentation: `I3`. */
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

/** Recomputes what the stored figures must sum to. Reads one consistent state; changes nothing. */
export interface LedgerAudit {
  verify(): Promise<LedgerVerification>;
}

/** What the books hold of single requests, for the operator; in one consistent state, changing nothing. */
export interface RequestBooks {
  /** By the id of a request or of its reservation. `null` when the books know neither: nothing was ever set aside for it. */
  find(id: string): Promise<BookedRequest | null>;
}
