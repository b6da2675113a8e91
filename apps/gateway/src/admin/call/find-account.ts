import { type Account, type AccountId, type AccountRepository, GatewayError } from '@tollgate/core';
import { findAccount as findById } from '../../dashboard/routes/account-views.js';
import type { AdminCall } from './admin-endpoint.js';

const EXTERNAL = 'external:';

/** A call whose path names an account. */
export type NamedCall = AdminCall & { readonly params: { readonly id: string } };

/** Finds an account by its id, or by `external:` and the operator's own id. Throws `not_found`. */
export async function findAccount(call: NamedCall, { accounts }: { readonly accounts: AccountRepository }): Promise<Account> {
  const { id } = call.params;
  const account = id.startsWith(EXTERNAL) ? await findByExternal(id, accounts) : await findById(id, { accounts });
  if (account === null) throw noSuchAccount();
  call.accountId = account.id;
  return account;
}

/** The account that a list is narrowed to; `null` for all. Throws `not_found` for an unknown `external:` id. */
export async function filteredAccount({ account: reference }: { readonly account?: string | undefined }, { accounts }: { readonly accounts: AccountRepository }): Promise<AccountId | null> {
  if (reference === undefined) return null;
  if (!reference.startsWith(EXTERNAL)) return reference as AccountId;
  const account = await findByExternal(reference, accounts);
  if (account === null) throw noSuchAccount('account');
  return account.id;
}

function findByExternal(reference: string, accounts: AccountRepository): Promise<Account | null> {
  return accounts.findByExternalId(reference.slice(EXTERNAL.length));
}

function noSuchAccount(param?: string): GatewayError {
  return new GatewayError('not_found', 'There is no account with this external_id.', param === undefined ? {} : { param });
}
