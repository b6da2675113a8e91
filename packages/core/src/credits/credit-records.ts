import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { CreditLeft } from './credits-left.js';

/** The figures that an expiry was derived from, stored with it. */
export interface ExpiryProof {
  /** The ledger entry of the expired credit. */
  readonly credit: bigint;
  readonly expiresAt: Instant;
  /** Left of the credit before the expiry. */
  readonly left: ServiceTokens;
  /** Available to the account before the expiry. */
  readonly available: ServiceTokens;
  /** The account's newest ledger entry that `left` was derived from. */
  readonly through: bigint;
}

/** `busy`: another process works on the account. `behind`: too much was booked meanwhile; the account stays due. */
export type CreditTurnOutcome = 'done' | 'busy' | 'behind';

/** Credits of accounts, derived from the ledger. No request waits for any of these calls. */
export interface CreditRecords {
  /** Credits with something left, the soonest to expire first. Their sum is the posted balance. */
  list(accountId: AccountId): Promise<readonly CreditLeft[]>;
  /** Accounts with credits that expire, whose next check is due; the longest due first. */
  due(at: Instant, limit: number): Promise<readonly AccountId[]>;
  /** Books what has expired, stores the events of notices, and says when the account is due again. */
  expire(accountId: AccountId, at: Instant): Promise<CreditTurnOutcome>;
}
