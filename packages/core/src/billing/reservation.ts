import type { Charge } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../money/usage.js';
import type { AccountId, ProcessId, RequestId, ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { KeyBudget } from './key-limit.js';
import type { ReserveDemand } from './reserve-demand.js';
import type { Ending, RequestFacts, ServedModel } from './usage-record.js';

/**
 * `settled`: ended with a charge, or with nothing to charge for.
 * `released`: ended without being served. `expired`: ended by the sweeper after its owner died.
 */
export type ReservationState = 'held' | 'settled' | 'released' | 'expired';

/** Service tokens set aside for one running request. */
export interface Reservation {
  readonly id: ReservationId;
  readonly accountId: AccountId;
  readonly ownerId: ProcessId;
  readonly amount: ServiceTokens;
  readonly state: ReservationState;
  readonly facts: RequestFacts;
  /** What of its key's limit it counts against; `null`: the key has none. */
  readonly budget: KeyBudget | null;
  readonly progress: ReservationProgress | null;
  readonly createdAt: Instant;
  /** From this time the sweeper may end it, regardless of its owner. */
  readonly expiresAt: Instant;
}

/** What a running request would be charged for if its process died now. */
export interface ReservationProgress {
  readonly service: ServedModel;
  readonly usage: Usage;
}

export interface ReserveCommand extends ReserveDemand {
  readonly reservationId: ReservationId;
  readonly ownerId: ProcessId;
  readonly facts: RequestFacts;
  /** When; as the request started unless given. */
  readonly at?: Instant;
  /** The first request of the purchase that this one continues; of the same account. */
  readonly purchaseOf?: RequestId | null;
  /** The key's limit, where it has one: no more is set aside than is left of it. */
  readonly budget?: KeyBudget | null;
  readonly expiresAt: Instant;
}

export type ReserveOutcome =
  /** What was set aside, which may be less than the amount that was demanded. */
  | { readonly outcome: 'reserved'; readonly amount: ServiceTokens }
  | { readonly outcome: 'insufficient'; readonly available: ServiceTokens }
  /** The key's limit leaves too little, whatever the balance. */
  | { readonly outcome: 'key-limit'; readonly left: ServiceTokens };

/** What a request was really charged: the figures of the ledger entry, the usage record and the reply. */
export interface Settlement {
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  /** Right after this settlement. `null` while it is pending: the ledger has not taken it yet, and it is queued durably. */
  readonly balance: Balance | null;
}

/** What is held for a request that ends: a receipt can promise so much before the ledger has settled it. */
export interface SettlementHold {
  readonly facts: Pick<RequestFacts, 'requestId' | 'accountId' | 'usdPerServiceToken'>;
  /** Extensions included. */
  readonly amount: ServiceTokens;
  /** A checkpoint of it may be stored, so that a sweep may have charged it. */
  readonly isCheckpointed?: boolean;
}

export interface SettleCommand {
  readonly reservationId: ReservationId;
  readonly ending: Ending;
  /** When; as the request ended unless given. */
  readonly at?: Instant;
  /** What a receipt has promised: the request is charged no more, all its charges together. No bound unless given. */
  readonly atMost?: ServiceTokens | null;
  /** With it, a queue may answer for a ledger that is away; no ledger looks at it. */
  readonly hold?: SettlementHold;
}
