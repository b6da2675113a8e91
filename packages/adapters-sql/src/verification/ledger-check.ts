import type { AccountId, LedgerDifference } from '@tollgate/core';
import { type RawBuilder } from 'kysely';

/** What a check finds: one row per difference, with both figures as text. */
export interface DifferenceRow {
  readonly account_id: string | null;
  readonly expected: string | bigint;
  readonly found: string | bigint;
}

/** One invariant as a query that finds nothing when it holds. */
export interface LedgerCheck {
  readonly invariant: string;
  readonly query: RawBuilder<DifferenceRow>;
  /** How its figures are shown. */
  readonly show: (figure: string | bigint) => string;
}

export function differenceFromRow({ invariant, show }: LedgerCheck, row: DifferenceRow): LedgerDifference {
  return { invariant, accountId: row.account_id as AccountId | null, expected: show(row.expected), found: show(row.found) };
}
