import type { AccountId, ProcessId, ReservationId } from '../ids.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../generation/usage.js';
import type { KeyBudget } from '../keys/spending-limit.js';
import type { Instant } from '../time/instant.js';
import type { RequestFacts, Service } from './usage-record.js';

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
  readonly service: Service;
  readonly usage: Usage;
}

/** How much to set aside: the amount, or else what is available if that is at least the floor. */
export interface ReserveDemand {
  readonly amount: ServiceTokens;
  /** At most the amount; the amount itself where a part of it is of no use. */
  readonly floor: ServiceTokens;
}

export interface ReserveCommand extends ReserveDemand {
  readonly reservationId: ReservationId;
  readonly ownerId: ProcessId;
  readonly facts: RequestFacts;
  /** When; as the request started unless given. */
  readonly at?: Instant;
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
