import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { CreditLeft } from './credits-left.js';

/**
 * `busy`: another process is working on the account, or has just finished. `behind`: too much was booked during each attempt; a later turn continues.
 */
export type CreditTurnOutcome = 'done' | 'busy' | 'behind';

/** Credits of accounts, derived from the ledger. Never called to serve a generation. */
export interface CreditRecords {
  /** Credits with something left, the soonest to expire first. What is left of them adds up to the posted balance. */
  list(accountId: AccountId): Promise<readonly CreditLeft[]>;
  /** Accounts whose credits are due for a check, the longest due first. */
  due(at: Instant, limit: number): Promise<readonly AccountId[]>;
  /**
   * Books the expiry of what is left of expired credits, except what running requests hold. Also stores the events of due notices, and the time of
   * the account's next check.
   */
  expire(accountId: AccountId, at: Instant): Promise<CreditTurnOutcome>;
}
