import { type CreditLeft, instant, ServiceTokens } from '@tollgate/core';
import type { CreditSnapshotTable } from '../schema/credit-tables.js';
import type { Selectable } from 'kysely';

/** What is left of each credit of an account after its ledger entry `through`. */
export interface CreditSnapshot {
  readonly credits: readonly CreditLeft[];
  readonly through: bigint;
  /** Number of the newest entry of any account when the snapshot was derived. */
  readonly newestEntry: bigint;
  /** Latest end of a request whose charge is included. */
  readonly endedThrough: bigint;
}

export const FIRST_SNAPSHOT: CreditSnapshot = { credits: [], through: 0n, newestEntry: 0n, endedThrough: 0n };

interface StoredCredit {
  readonly entry: string;
  readonly reference: string | null;
  readonly expires_at: number | null;
  readonly amount: string;
  readonly left: string;
}

export const SNAPSHOT_COLUMNS = ['through_entry', 'newest_entry', 'ended_through', 'credits'] as const;

type SnapshotRow = Pick<Selectable<CreditSnapshotTable>, (typeof SNAPSHOT_COLUMNS)[number]>;

export function creditsToColumn(credits: readonly CreditLeft[]): string {
  return JSON.stringify(credits.map(({ entry, reference, expiresAt, amount, left }): StoredCredit => (
    { entry: String(entry), reference, expires_at: expiresAt, amount: amount.toString(), left: left.toString() })));
}

export function creditsFromColumn(column: string): readonly CreditLeft[] {
  // Written by `creditsToColumn`.
  return (JSON.parse(column) as readonly StoredCredit[]).map(({ entry, reference, expires_at: expiresAt, amount, left }) => ({
    entry: BigInt(entry), reference, expiresAt: expiresAt === null ? null : instant(expiresAt), amount: ServiceTokens.parse(amount), left: ServiceTokens.parse(left),
  }));
}

export function snapshotFromRow(row: SnapshotRow): CreditSnapshot {
  return { credits: creditsFromColumn(row.credits), through: row.through_entry, newestEntry: row.newest_entry, endedThrough: row.ended_through };
}

export function snapshotToRow({ credits, through, newestEntry, endedThrough }: CreditSnapshot): SnapshotRow {
  return { through_entry: through, newest_entry: newestEntry, ended_through: endedThrough, credits: creditsToColumn(credits) };
}

