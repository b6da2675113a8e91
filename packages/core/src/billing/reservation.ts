import type { Charge } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../money/usage.js';
import type { AccountId, ProcessId, RequestId, ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { Booked } from './booked.js';
import type { KeyBudget } from './key-limit.js';
import type { ReserveDemand } from './reserve-demand.js';
import type { Ending, RequestFacts, ServedModel } from './usage-record.js';

/** `settled`: ended with a charge, possibly zero. `released`: ended without being served. `expired`: ended by the sweeper. */
export type ReservationState = 'held' | 'settled' | 'released' | 'expired';

export interface Reservation {
  readonly id: ReservationId;
  readonly accountId: AccountId;
  readonly ownerId: ProcessId;
  readonly amount: ServiceTokens;
  readonly state: ReservationState;
  readonly facts: RequestFacts;
  /** The budget of its key; `null` if the key has no limit. */
  readonly budget: KeyBudget | null;
  readonly progress: ReservationProgress | null;
  readonly createdAt: Instant;
  /** The sweeper may end it after this time, even if its owner is alive. */
  readonly expiresAt: Instant;
}

/** The usage that is charged if the process dies. */
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
  /** The first request of the purchase that this one continues, of the same account. */
  readonly purchaseOf?: RequestId | null;
  /** Bounds the reservation, if the key has a limit. */
  readonly budget?: KeyBudget | null;
  readonly expiresAt: Instant;
}

export type ReserveOutcome =
  /** May be less than the demanded amount, but at least the floor. */
  | { readonly outcome: 'reserved'; readonly amount: ServiceTokens }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens }
  /** The key's limit was exceeded, whatever the balance. */
  | { readonly outcome: 'key-limit'; readonly left: ServiceTokens };

/** The figures of the ledger entry, the usage record and the response. */
export interface Settlement {
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  /** Right after this settlement; `null` while the settlement is pending in the outbox. */
  readonly balance: Balance | null;
}

export interface SettleOutcome extends Settlement {
  /** `null` if nothing was booked: the settlement is repeated, or pending in the outbox. */
  readonly booked: Booked | null;
}

/** What a receipt is based on while the ledger is unavailable. */
export interface SettlementHold {
  readonly facts: Pick<RequestFacts, 'requestId' | 'accountId' | 'usdPerServiceToken'>;
  /** Includes extensions. */
  readonly amount: ServiceTokens;
  /** True if a checkpoint may be stored, so that a sweep may have charged it. */
  readonly isCheckpointed?: boolean;
}

export interface SettleCommand {
  readonly reservationId: ReservationId;
  readonly ending: Ending;
  /** Default: the end of the request. */
  readonly at?: Instant;
  /** The maximum total charge that a receipt has promised; default: no maximum. */
  readonly atMost?: ServiceTokens | null;
  /** Used by an outbox to answer for an unavailable ledger; ledgers ignore it. */
  readonly hold?: SettlementHold;
}
