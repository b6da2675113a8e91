import { type Account, type AccountRepository, GatewayError } from '@tollgate/core';
import { findAccount as findById } from '../../dashboard/routes/account-views.js';

const EXTERNAL = 'external:';

/** By id, or by `external:` and the operator's own id. Throws `not_found`. */
export async function findAccount(id: string, ports: { readonly accounts: AccountRepository }): Promise<Account> {
  if (!id.startsWith(EXTERNAL)) return findById(id, ports);
  const account = await ports.accounts.findByExternalId(id.slice(EXTERNAL.length));
  if (account === null) throw new GatewayError('not_found', 'There is no account with this external_id.');
  return account;
}
