import type { Account, AccountId, AccountStatus, PlanId } from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn } from '../schema/column-values.js';
import type { AccountTable } from '../schema/database-schema.js';
import { storableText } from '../text/storable-text.js';

/** The columns of an account that are not its balance; numbers may come as either type. */
export type AccountRow = Pick<Selectable<AccountTable>, 'id' | 'email' | 'name' | 'plan_id' | 'status'> & {
  readonly email_verified: bigint | number;
  readonly blocked: bigint | number;
  readonly created_at: bigint | number;
};

export const ACCOUNT_COLUMNS = ['id', 'email', 'name', 'plan_id', 'status', 'email_verified', 'blocked', 'created_at'] as const;

/** What makes two addresses the same one. */
export function foldedEmail(email: string): string {
  return storableText(email).toLowerCase();
}

export function accountFromRow(row: AccountRow): Account {
  return {
    id: row.id as AccountId,
    email: row.email,
    name: row.name,
    planId: row.plan_id as PlanId,
    status: row.status as AccountStatus,
    emailVerified: flagFromColumn(row.email_verified),
    blocked: flagFromColumn(row.blocked),
    createdAt: instantFromColumn(row.created_at),
  };
}

/** A new account's row: with nothing on its balance. */
export function accountToRow(account: Account): Insertable<AccountTable> {
  return {
    id: account.id,
    email: storableText(account.email),
    email_folded: foldedEmail(account.email),
    name: storableText(account.name),
    plan_id: account.planId,
    status: account.status,
    email_verified: flagToColumn(account.emailVerified),
    blocked: flagToColumn(account.blocked),
    created_at: account.createdAt,
    balance: 0n,
    reserved: 0n,
  };
}
