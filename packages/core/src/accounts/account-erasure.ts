import type { Booked } from '../billing/booked.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { StandingFacts } from './account.js';

export type DeletionBegun =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens; /** `null` if nothing was left. */ readonly booked: Booked | null }
  /** Reservations are open; their requests must settle first. */
  | { readonly outcome: 'requests-running' }
  | { readonly outcome: 'last-operator' }
  /** The account's state differs from the one that was decided on; another gateway may have deleted it. */
  | { readonly outcome: 'changed-meanwhile' };

export interface DuePosition {
  readonly id: AccountId;
  readonly dueAt: Instant;
}

/** Deletes personal data; ledger and usage records are kept. */
export interface AccountErasure {
  /** Accounts with a due deletion, and deleted accounts with data left to erase; earliest first, after the position. */
  dueForDeletion(now: Instant, page: { readonly limit: number; readonly after: DuePosition | null }): Promise<readonly DuePosition[]>;
  ownerIsLastOperator(id: AccountId): Promise<boolean>;
  /**
   * In one transaction, and exactly once under concurrency: books the remaining balance as a forfeiture, revokes the keys,
   * removes name and address, erases the owner with sessions, factors, waiting mail and audit texts, and marks the account
   * deleted. The address can be used again.
   */
  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun>;
  /** Erases data outside that transaction, such as stored responses, a bounded number per call. Idempotent. */
  eraseLeftovers(id: AccountId): Promise<void>;
}
