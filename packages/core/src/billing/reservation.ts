import type { Charge } from '../money/charge.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../money/usage.js';
import type { AccountId, ProcessId, RequestId, ReservationId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { Booked } from './booked.js';
import type { KeyBudget } from './key-limit.js';
import type { ReserveDemand } from './reserve-demand.js';
import type { Ending, RequestFacts, ServedModel } from './usage-record.js';

/** `settled`: served and charged, possibly with zero. `released`: not served. `expired`: ended by the sweeper. */
export type ReservationState = 'held' | 'settled' | 'released' | 'expired';

export interface Reservation {
  readonly id: ReservationId;
  readonly accountId: AccountId;
  readonly ownerId: ProcessId;
  readonly amount: ServiceTokens;
  readonly state: ReservationState;
  readonly facts: RequestFacts;
  /** `null` if the key has no limit. */
  readonly budget: KeyBudget | null;
  readonly progress: ReservationProgress | null;
  readonly createdAt: Instant;
  /** From then on, the sweeper may end the reservation even if its owner is alive. The owner postpones this time while the request runs. */
  readonly expiresAt: Instant;
}

/** The usage that is charged if the sweeper ends the reservation. */
export interface ReservationProgress {
  readonly service: ServedModel;
  readonly usage: Usage;
}

export interface ReserveCommand extends ReserveDemand {
  readonly reservationId: ReservationId;
  readonly ownerId: ProcessId;
  readonly facts: RequestFacts;
  /** Default: the start of the request. */
  readonly at?: Instant;
  /** First request of the purchase that this request joins; default none. */
  readonly purchaseOf?: RequestId | null;
  /** Budget of a key with a limit; default none. */
  readonly budget?: KeyBudget | null;
  readonly expiresAt: Instant;
}

export type ReserveOutcome =
  /** At least the floor, at most the demanded amount. */
  | { readonly outcome: 'reserved'; readonly amount: ServiceTokens }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens }
  /** The key's limit leaves less than the floor, whatever the balance is. */
  | { readonly outcome: 'key-limit'; readonly left: ServiceTokens };

/** Same figures as in the ledger entry, usage record and response. While pending in the outbox, `charge` is an upper bound. */
export interface Settlement {
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  /** After this settlement, or current for a repetition; `null` while the settlement is pending in the outbox. */
  readonly balance: Balance | null;
}

export interface SettleOutcome extends Settlement {
  /** `null` for a repetition, for a late settlement without further cost, or while pending in the outbox. */
  readonly booked: Booked | null;
}

/** What a receipt needs while the ledger is unavailable. */
export interface SettlementHold {
  readonly facts: Pick<RequestFacts, 'requestId' | 'accountId' | 'usdPerServiceToken'>;
  /** Includes extensions. */
  readonly amount: ServiceTokens;
  /** True once a checkpoint of the request was prepared: the store may contain it, and a sweep may have charged by it. */
  readonly isCheckpointed?: boolean;
}

/** A hold as the process that made the reservation knows it. A hold that is read from an outbox has fewer fields. */
export interface KnownHold extends SettlementHold {
  readonly facts: RequestFacts;
  readonly budget: KeyBudget | null;
}

export function isKnownHold(hold: SettlementHold): hold is KnownHold {
  return 'budget' in hold;
}

export interface SettleCommand {
  readonly reservationId: ReservationId;
  readonly ending: Ending;
  /** Default: the end of the request. */
  readonly at?: Instant;
  /** Maximum total charge that a receipt or an error response promised; default none. */
  readonly atMost?: ServiceTokens | null;
  /**
   * An outbox needs the hold while the ledger is unavailable. A ledger need not read the reservation if a `KnownHold` has the same account and
   * amount.
   */
  readonly hold?: SettlementHold | KnownHold;
}
