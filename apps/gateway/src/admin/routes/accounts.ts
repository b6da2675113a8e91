import { type AccountId, type ApiKeyId, invariant } from '@tollgate/core';
import { adminContract } from '@tollgate/dashboard-contract';
import { encodeBalance } from '@tollgate/wire-kit';
import { findAccount, viewAccounts, viewAccountTerms, viewKeyPage } from '../../dashboard/routes/account-views.js';
import { viewMoneyActs } from '../../dashboard/routes/operator-money.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

/** Accounts with their balances, money acts and keys. */
export function accountEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { accounts, ledger, catalogue } = ports;
  return [
    adminEndpoint(adminContract.listAccounts)(async ({ query: { limit, cursor = null } }) => {
      const page = await accounts.list({ limit, after: cursor as AccountId | null });
      return { object: 'list', data: await viewAccounts(page.accounts, ports), has_more: page.next !== null, next_cursor: page.next };
    }),
    adminEndpoint(adminContract.readAccount)(async ({ params: { id } }) => viewAccountTerms(await findAccount(id, ports), ports)),
    adminEndpoint(adminContract.readBalance)(async ({ params: { id } }) => {
      const account = await findAccount(id, ports);
      const { usdPerServiceToken } = catalogue.current();
      const balance = await ledger.balanceOf(account.id);
      invariant(balance !== null, 'an account that was just read has a balance');
      return { object: 'balance', account_id: account.id, ...encodeBalance(balance, usdPerServiceToken), usd_per_service_token: usdPerServiceToken };
    }),
    adminEndpoint(adminContract.listLedger)(async ({ params: { id }, query }) => viewMoneyActs(await findAccount(id, ports), query, ports)),
    adminEndpoint(adminContract.listKeys)(async ({ params: { id }, query: { limit, cursor = null } }) =>
      viewKeyPage((await findAccount(id, ports)).id, { limit, after: cursor as ApiKeyId | null }, ports)),
  ];
}
