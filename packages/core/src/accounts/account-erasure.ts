import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { StandingFacts } from './account.js';

export type DeletionBegun =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens }
  /** Something is still reserved: its requests settle first. */
  | { readonly outcome: 'requests-running' }
  /** Its owner is the last operator. */
  | { readonly outcome: 'last-operator' }
  /** The account is not in the state on which the deletion was decided any more; another gateway may have deleted it. */
  | { readonly outcome: 'changed-meanwhile' };

/** Where a list of due deletions ended. */
export interface DuePosition {
  readonly id: AccountId;
  readonly dueAt: Instant;
}

/** Carries deletions out. Books and usage stay; what names a person goes. */
export interface AccountErasure {
  /** Accounts whose deletion is due, and deleted ones of which something is left to erase; the longest due first, after a position. */
  dueForDeletion(now: Instant, page: { readonly limit: number; readonly after: DuePosition | null }): Promise<readonly DuePosition[]>;
  /** Whether the account belongs to the only operator there is. */
  ownerIsLastOperator(id: AccountId): Promise<boolean>;
  /**
   * In one transaction, once of all who try: books what is left as a forfeiture, revokes the keys, removes names and address, erases the
   * person who owns the account with all that is theirs, waiting mail and the texts of the audit trail among it, and marks the account
   * deleted. The address is free from then on.
   */
  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun>;
  /** Erases what a deleted account left elsewhere, such as replies kept for repetition, some at a time; may be repeated. */
  eraseLeftovers(id: AccountId): Promise<void>;
}
