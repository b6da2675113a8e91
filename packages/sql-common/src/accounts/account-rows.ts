import { type Account, type AccountId, type AccountMetadata, type AccountStatus, foldEmail, type PendingDeletion, type PlanId, type PriceListId, type StandingFacts } from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import type { AccountTable } from '../schema/database-schema.js';

/** Columns of an account, except its balance. */
export type AccountRow = Pick<Selectable<AccountTable>, 'id' | 'email' | 'name' | 'plan_id' | 'price_list' | 'status' | 'deletion_returns_to' | 'external_id' | 'metadata'> & {
  readonly email_verified: bigint | number;
  readonly blocked: bigint | number;
  readonly created_at: bigint | number;
  readonly deletion_due_at: bigint | number | null;
};

export const ACCOUNT_COLUMNS = [
  'id', 'email', 'name', 'plan_id', 'price_list', 'status', 'email_verified', 'blocked', 'created_at', 'deletion_due_at', 'deletion_returns_to',
  'external_id', 'metadata',
] as const;

/** Columns from which an account's standing is derived. */
export interface StandingColumns {
  readonly status: AccountStatus;
  readonly email_verified: number;
  readonly blocked: number;
  readonly deletion_due_at: number | null;
  readonly deletion_returns_to: string | null;
}

export function foldedEmail(email: string): string {
  return foldEmail(storableText(email));
}

/** Returns `null` for a deleted account too. Its row keeps the date until its leftovers are erased. */
function deletionFromRow({ status, deletion_due_at: dueAt, deletion_returns_to: returnsTo }: AccountRow): PendingDeletion | null {
  if (dueAt === null || status === 'deleted') return null;
  return { dueAt: instantFromColumn(dueAt), returnsTo: returnsTo === 'suspended' ? 'suspended' : 'active' };
}

export function standingToColumns({ status, emailVerified, blocked, deletion }: StandingFacts): StandingColumns {
  return {
    status,
    email_verified: flagToColumn(emailVerified),
    blocked: flagToColumn(blocked),
    deletion_due_at: deletion?.dueAt ?? null,
    deletion_returns_to: deletion?.returnsTo ?? null,
  };
}

export function accountFromRow(row: AccountRow): Account {
  return {
    id: row.id as AccountId,
    email: row.email,
    name: row.name,
    planId: row.plan_id as PlanId,
    priceList: row.price_list as PriceListId | null,
    status: row.status as AccountStatus,
    emailVerified: flagFromColumn(row.email_verified),
    blocked: flagFromColumn(row.blocked),
    deletion: deletionFromRow(row),
    createdAt: instantFromColumn(row.created_at),
    externalId: row.external_id,
    metadata: row.metadata === null ? {} : JSON.parse(row.metadata) as AccountMetadata,
  };
}

export function metadataToColumn(metadata: AccountMetadata): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

/** Row of a new account, whose balance is zero. */
export function accountToRow(account: Account): Insertable<AccountTable> {
  return {
    id: account.id,
    email: storableText(account.email),
    email_folded: foldedEmail(account.email),
    name: storableText(account.name),
    plan_id: account.planId,
    price_list: account.priceList,
    ...standingToColumns(account),
    created_at: account.createdAt,
    balance: 0n,
    reserved: 0n,
    external_id: storableTextOrNull(account.externalId),
    metadata: metadataToColumn(account.metadata),
    updated_at: account.createdAt,
  };
}
