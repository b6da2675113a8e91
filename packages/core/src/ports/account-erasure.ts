import type { StandingFacts } from '../accounts/account.js';
import type { AccountId } from '../ids.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Instant } from '../time/instant.js';
import type { AuditedBy } from './account-repository.js';

export type DeletionBegun =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens }
  /** Something is still reserved: its requests settle first. */
  | { readonly outcome: 'requests-running' }
  /** The account is not in the state on which the deletion was decided any more; another gateway may have deleted it. */
  | { readonly outcome: 'changed-meanwhile' };

/** Carries deletions out. Books and usage stay; what names a person goes. */
export interface AccountErasure {
  /** Accounts whose deletion is due, and deleted ones of which something is left to erase; the longest due first. */
  dueForDeletion(now: Instant, limit: number): Promise<readonly AccountId[]>;
  /**
   * In one transaction, once of all who try: books what is left as a forfeiture, revokes the keys, removes names and address,
   * and marks the account deleted. The address is free from then on.
   */
  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun>;
  /** Erases what a deleted account left elsewhere, such as replies kept for repetition, some at a time; may be repeated. */
  eraseLeftovers(id: AccountId): Promise<void>;
}
