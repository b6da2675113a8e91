import { bucketOf, byGroupName, byGroupRank, type SummaryGrouping, sumsByGroup, type UsageBucket } from '@tollgate/core';
import { groupOfColumn, type RatedSumsRow, sumsOfRow } from './roll-up-sums.js';

/** Sums of one group at one rate. */
export interface UsageSumRow extends RatedSumsRow {
  readonly group: string;
}

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** One bucket per group, whatever rates its requests were charged at; in the order the port promises. */
export function usageBuckets(rows: readonly UsageSumRow[], grouping: SummaryGrouping): readonly UsageBucket[] {
  const groups = sumsByGroup(rows.map((row) => ({ group: groupOfColumn(row.group), sums: sumsOfRow(row) })));
  return groups.toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}
