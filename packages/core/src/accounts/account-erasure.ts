import type { Booked } from '../billing/booked.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { StandingFacts } from './account.js';

export type DeletionBegun =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens; /** `null` if the balance was zero. */ readonly booked: Booked | null }
  /** Open reservations must settle first. */
  | { readonly outcome: 'requests-running' }
  /** The provider has not answered a charge of automatic top-up, which is still repeated. */
  | { readonly outcome: 'charge-running' }
  | { readonly outcome: 'last-operator' }
  /** The account changed after the decision, for example because another gateway deleted it. */
  | { readonly outcome: 'changed-meanwhile' };

export interface DuePosition {
  readonly id: AccountId;
  readonly dueAt: Instant;
}

/** Erases the personal data of accounts; keeps ledger and usage records. */
export interface AccountErasure {
  /** Earliest first. Includes deleted accounts with data left to erase. */
  dueForDeletion(now: Instant, page: { readonly limit: number; readonly after: DuePosition | null }): Promise<readonly DuePosition[]>;
  ownerIsLastOperator(id: AccountId): Promise<boolean>;
  /**
   * In one transaction, and once even under concurrency: books the remaining balance as a forfeiture, revokes the keys, removes name and address,
   * erases the owner with sessions, factors, waiting mail and audit texts, and marks the account deleted. Afterwards, another account can use the
   * address.
   */
  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun>;
  /** Erases the data that `deleteAccount` leaves, such as stored responses; in bounded transactions. Idempotent. */
  eraseLeftovers(id: AccountId): Promise<void>;
}
