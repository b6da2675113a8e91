import { type Account, type AccountId, type AccountRepository, type ApiKeyId, foldEmail, instant, invariant, type UpdatePosition } from '@tollgate/core';
import { adminContract, type QueryOf } from '@tollgate/api-contract';
import { encodeBalance } from '@tollgate/wire-kit';
import { viewAccounts, viewAccountTerms, viewKeyPage } from '../../dashboard/routes/account-views.js';
import { decodeCursor, encodeCursor, isAccountId } from '../../dashboard/call/cursors.js';
import { instantOf, invalidField } from '../../dashboard/call/read-fields.js';
import { searchAccounts } from '../../dashboard/call/search-accounts.js';
import { viewMoneyActs } from '../../dashboard/routes/operator-money.js';
import { findAccount } from '../call/find-account.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

export function accountEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { ledger, catalogue } = ports;
  return [
    adminEndpoint(adminContract.listAccounts)(async ({ query }) => {
      const { found, next } = await listAccounts(query, ports);
      return { object: 'list', data: await viewAccounts(found, ports), has_more: next !== null, next_cursor: next };
    }),
    adminEndpoint(adminContract.readAccount)(async (call) => viewAccountTerms(await findAccount(call, ports), ports)),
    adminEndpoint(adminContract.readBalance)(async (call) => {
      const account = await findAccount(call, ports);
      const { usdPerServiceToken } = catalogue.current();
      const balance = await ledger.balanceOf(account.id);
      invariant(balance !== null, 'an account that was just read has a balance');
      return { object: 'balance', account_id: account.id, ...encodeBalance(balance, usdPerServiceToken), usd_per_service_token: usdPerServiceToken };
    }),
    adminEndpoint(adminContract.listLedger)(async (call) => viewMoneyActs(await findAccount(call, ports), call.query, ports)),
    adminEndpoint(adminContract.listKeys)(async (call) =>
      viewKeyPage((await findAccount(call, ports)).id, { limit: call.query.limit, after: (call.query.cursor ?? null) as ApiKeyId | null }, ports)),
  ];
}

type AccountsQuery = QueryOf<typeof adminContract.listAccounts>;

interface Listed {
  readonly found: readonly Account[];
  readonly next: string | null;
}

/** Throws `invalid_request` for an invalid cursor. */
async function listAccounts(query: AccountsQuery, { accounts, administration: { lookups } }: Pick<AdminPorts, 'accounts' | 'administration'>): Promise<Listed> {
  const { external_id: externalId, email, status = null, limit, cursor, updated_after: updatedAfter } = query;
  if (externalId !== undefined || email !== undefined) return { found: await findOne(query, accounts), next: null };
  if (updatedAfter === undefined) {
    const { found, nextCursor } = await searchAccounts(query, lookups);
    return { found: found.map(({ account }) => account), next: nextCursor };
  }
  const at = instantOf(updatedAfter);
  invariant(at !== null, 'the contract accepts instants only');
  const page = await accounts.listUpdated({ limit, after: cursor === undefined ? { at, id: null } : readPosition(cursor), status });
  return { found: page.accounts, next: page.next === null ? null : encodeCursor([page.next.at, page.next.id ?? '']) };
}

/** Returns an account only if it matches all given criteria. */
async function findOne({ external_id: externalId, email, status }: AccountsQuery, accounts: AccountRepository): Promise<readonly Account[]> {
  const account = externalId === undefined ? await accounts.findByEmail(email ?? '') : await accounts.findByExternalId(externalId);
  if (account === null || (status !== undefined && account.status !== status)) return [];
  return email === undefined || foldEmail(account.email) === foldEmail(email) ? [account] : [];
}

function readId(cursor: string): AccountId {
  if (!isAccountId(cursor)) throw invalidField('cursor', 'must be the next_cursor of an earlier page');
  return cursor;
}

function readPosition(cursor: string): UpdatePosition {
  const [at, id] = decodeCursor(cursor, ['number', 'string']);
  return { at: instant(Number(at)), id: readId(String(id)) };
}
