import type { Account, AccountStatus } from '../accounts/account.js';
import type { AccountId, PlanId } from '../ids.js';
import type { Instant } from '../time/instant.js';
import type { Actor } from './audit.js';

/** The part of an account that changes; fields left out stay as they are. */
export interface AccountChange {
  readonly planId?: PlanId;
  readonly status?: AccountStatus;
  readonly emailVerified?: boolean;
  readonly blocked?: boolean;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after` to read on; `null` at the end. */
  readonly next: AccountId | null;
}

/** Accounts; every write goes into the audit trail in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** Oldest first. */
  list(query: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage>;
  /** `email-taken` when another account has the same address, whatever its letter case. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'>;
  /** The account as it is afterwards; `null` when there is none. */
  change(id: AccountId, change: AccountChange, by: { readonly actor: Actor; readonly at: Instant }): Promise<Account | null>;
}
