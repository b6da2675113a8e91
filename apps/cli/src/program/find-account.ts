import type { Account, AccountId } from '@tollgate/core';
import { CommandFailure } from './command-failure.js';
import type { OperatorSession } from './operator-session.js';

export const ACCOUNT_ARGUMENT = ['<account>', 'its id (acct_…) or e-mail address'] as const;

/** Finds an account by id or e-mail address. Throws a `CommandFailure` if there is none. */
export async function findAccount({ store }: OperatorSession, idOrEmail: string): Promise<Account> {
  const account = idOrEmail.includes('@') ? await store.accounts.findByEmail(idOrEmail) : await store.accounts.findById(idOrEmail as AccountId);
  if (account === null) throw new CommandFailure(`there is no account ${idOrEmail}`);
  return account;
}
