import { type AccountId, instant, type NamedStatement, ServiceTokens, type StatementDocument, type StatementNames, type StatementSummary, type UtcMonth } from '@tollgate/core';
import type { StatedThrough } from './read-account-month.js';

export const SUMMARY_COLUMNS = ['number', 'account_id', 'month', 'opening', 'closing', 'made_at'] as const;

interface SummaryRow {
  readonly number: bigint;
  readonly account_id: string;
  readonly month: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly made_at: bigint;
}

export function summaryFromRow(row: SummaryRow): StatementSummary {
  return {
    number: Number(row.number), accountId: row.account_id as AccountId, month: row.month as UtcMonth,
    opening: ServiceTokens.fromUnits(row.opening).toString(), closing: ServiceTokens.fromUnits(row.closing).toString(), madeAt: instant(Number(row.made_at)),
  };
}

export const THROUGH_COLUMNS = ['closing', 'ends_at', 'through_entry', 'complete_through'] as const;

interface ThroughRow {
  readonly closing: bigint;
  readonly ends_at: bigint;
  readonly through_entry: bigint;
  readonly complete_through: bigint;
}

export function throughFromRow(row: ThroughRow): StatedThrough {
  return {
    closing: ServiceTokens.fromUnits(row.closing), endsAt: instant(Number(row.ends_at)), throughEntry: row.through_entry, completeThrough: row.complete_through,
  };
}

export function namedFromRow({ document, names }: { readonly document: string; readonly names: string | null }): NamedStatement {
  return { ...JSON.parse(document) as StatementDocument, names: names === null ? null : JSON.parse(names) as StatementNames };
}
