import { type AccountId, type ApiKey, type ApiKeyId, type KeyHash, type ModelSlug, ServiceTokens, type SpendingLimit } from '@tollgate/core';
import type { Insertable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { ApiKeyTable } from '../schema/record-tables.js';
import { storableTextOrNull } from '../schema/storable-text.js';

export interface ApiKeyRow {
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

function modelsFromColumn(column: string | null): ReadonlySet<ModelSlug> | null {
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

/** @param replaces the key that this one replaces by rotation; otherwise `null`. */
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
