import { type Account, type AccountRepository, GatewayError } from '@tollgate/core';
import { findAccount as findById } from '../../dashboard/routes/account-views.js';
import type { AdminCall } from './admin-endpoint.js';

const EXTERNAL = 'external:';

/** By id, or by `external:` and the operator's own id. Throws `not_found`. */
export async function findAccount(call: AdminCall & { readonly params: { readonly id: string } }, { accounts }: { readonly accounts: AccountRepository }): Promise<Account> {
  const { id } = call.params;
  const account = id.startsWith(EXTERNAL) ? await accounts.findByExternalId(id.slice(EXTERNAL.length)) : await findById(id, { accounts });
  if (account === null) throw new GatewayError('not_found', 'There is no account with this external_id.');
  call.accountId = account.id;
  return account;
}
