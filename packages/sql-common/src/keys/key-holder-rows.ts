import type { KeyHolder } from '@tollgate/core';
import { accountFromRow, type AccountRow } from '../accounts/account-rows.js';
import { API_KEY_COLUMNS } from '../schema/column-lists.js';
import type { Queries } from '../script/queries.js';
import { apiKeyFromRow, type ApiKeyRow } from './api-key-rows.js';

/** Columns of a key and its account. Account columns with the name of a key column are renamed. */
export type HolderRow = ApiKeyRow & {
  readonly email: string;
  readonly account_name: string;
  readonly plan_id: string;
  readonly price_list: string | null;
  readonly status: string;
  readonly email_verified: bigint | number;
  readonly account_blocked: bigint | number;
  readonly account_created_at: bigint | number;
  readonly deletion_due_at: bigint | number | null;
  readonly deletion_returns_to: string | null;
  readonly external_id: string | null;
  readonly metadata: string | null;
};

/** SQL text of the look-up that every request requires. The hash of the key is its only parameter. */
export function holderByHash(queries: Queries): string {
  return queries.selectFrom('api_keys').innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      ...API_KEY_COLUMNS.map((column) => `api_keys.${column}` as const),
      'accounts.email', 'accounts.name as account_name', 'accounts.plan_id', 'accounts.price_list', 'accounts.status', 'accounts.email_verified',
      'accounts.blocked as account_blocked', 'accounts.created_at as account_created_at', 'accounts.deletion_due_at', 'accounts.deletion_returns_to',
      'accounts.external_id', 'accounts.metadata',
    ])
    .where('api_keys.hash', '=', '').compile().sql;
}

export function holderFromRow(row: HolderRow): KeyHolder {
  const account: AccountRow = {
    id: row.account_id,
    email: row.email,
    name: row.account_name,
    plan_id: row.plan_id,
    price_list: row.price_list,
    status: row.status,
    email_verified: row.email_verified,
    blocked: row.account_blocked,
    created_at: row.account_created_at,
    deletion_due_at: row.deletion_due_at,
    deletion_returns_to: row.deletion_returns_to,
    external_id: row.external_id,
    metadata: row.metadata,
  };
  return { key: apiKeyFromRow(row), account: accountFromRow(account) };
}
