import {
  type AccountId, type ApiKey, type ApiKeyId, type KeyHash, type KeyHolder, type KeySpending, type ModelSlug, ServiceTokens,
  type SpendingLimit,
} from '@tollgate/core';
import type { Insertable } from 'kysely';
import { accountFromRow, type AccountRow } from '../accounts/account-rows.js';
import { API_KEY_COLUMNS } from '../schema/column-lists.js';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull, storableTextOrNull } from '../schema/columns.js';
import type { ApiKeyTable } from '../schema/record-tables.js';
import type { Queries } from '../script/script.js';

interface ApiKeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string | null;
  readonly hash: string;
  readonly hint: string;
  readonly created_at: bigint | number;
  readonly expires_at: bigint | number | null;
  readonly revoked_at: bigint | number | null;
  readonly last_used_at: bigint | number | null;
  readonly blocked: bigint | number;
  readonly models: string | null;
  readonly limit_amount: bigint | number | null;
  readonly limit_period: string | null;
  readonly lineage: string | null;
}

function limitFromRow({ limit_amount, limit_period }: ApiKeyRow): SpendingLimit | null {
  if (limit_amount === null) return null;
  return { amount: ServiceTokens.fromUnits(BigInt(limit_amount)), period: limit_period as SpendingLimit['period'] };
}

export function limitToColumns(limit: SpendingLimit | null): Pick<Insertable<ApiKeyTable>, 'limit_amount' | 'limit_period'> {
  return { limit_amount: limit?.amount.toUnits() ?? null, limit_period: limit?.period ?? null };
}

export function modelsFromColumn(column: string | null): ReadonlySet<ModelSlug> | null {
  return column === null ? null : new Set(JSON.parse(column) as readonly ModelSlug[]);
}

export function modelsToColumn(models: ReadonlySet<ModelSlug> | null): string | null {
  return models === null ? null : JSON.stringify([...models]);
}

export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: row.id as ApiKeyId,
    accountId: row.account_id as AccountId,
    name: row.name,
    hash: row.hash as KeyHash,
    hint: row.hint,
    createdAt: instantFromColumn(row.created_at),
    expiresAt: instantOrNull(row.expires_at),
    revokedAt: instantOrNull(row.revoked_at),
    lastUsedAt: instantOrNull(row.last_used_at),
    blocked: flagFromColumn(row.blocked),
    models: modelsFromColumn(row.models),
    limit: limitFromRow(row),
    lineage: (row.lineage ?? row.id) as ApiKeyId,
  };
}

/** `replaces`: `null` for a created key. */
export function apiKeyToRow(key: ApiKey, replaces: ApiKeyId | null): Insertable<ApiKeyTable> {
  return {
    id: key.id,
    account_id: key.accountId,
    name: storableTextOrNull(key.name),
    hash: key.hash,
    hint: key.hint,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    blocked: flagToColumn(key.blocked),
    replaces,
    models: modelsToColumn(key.models),
    ...limitToColumns(key.limit),
    lineage: key.lineage,
    updated_at: key.createdAt,
  };
}

/** Columns of the key and of its account; account columns whose names clash are renamed. */
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

/** SQL of the look-up of every request; the hash is its only parameter. */
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

export interface KeySpendingRow {
  readonly spent: bigint;
  readonly reserved: bigint;
}

export function keySpendingFromRow({ spent, reserved }: KeySpendingRow): KeySpending {
  return { spent: ServiceTokens.fromUnits(spent), reserved: ServiceTokens.fromUnits(reserved) };
}
