import type { KeyHolder } from '@tollgate/core';
import { accountFromRow, type AccountRow } from '../accounts/account-row.js';
import { apiKeyFromRow, type ApiKeyRow } from './api-key-row.js';

/** A key beside its account, whose columns are renamed where both have one of that name. */
export type HolderRow = ApiKeyRow & {
  readonly email: string;
  readonly account_name: string;
  readonly plan_id: string;
  readonly status: string;
  readonly email_verified: bigint | number;
  readonly account_blocked: bigint | number;
  readonly account_created_at: bigint | number;
  readonly deletion_due_at: bigint | number | null;
  readonly deletion_returns_to: string | null;
};

/** The look-up that every request makes, up to the place of the hash. */
export const HOLDER_BY_HASH = `
  SELECT k.*, a.email, a.name AS account_name, a.plan_id, a.status, a.email_verified, a.blocked AS account_blocked,
    a.created_at AS account_created_at, a.deletion_due_at, a.deletion_returns_to
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = `;

export function holderFromRow(row: HolderRow): KeyHolder {
  const account: AccountRow = {
    id: row.account_id,
    email: row.email,
    name: row.account_name,
    plan_id: row.plan_id,
    status: row.status,
    email_verified: row.email_verified,
    blocked: row.account_blocked,
    created_at: row.account_created_at,
    deletion_due_at: row.deletion_due_at,
    deletion_returns_to: row.deletion_returns_to,
  };
  return { key: apiKeyFromRow(row), account: accountFromRow(account) };
}
