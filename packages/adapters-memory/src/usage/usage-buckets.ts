import {
  bucketOf, type BreakdownDimension, byGroupName, byGroupRank, type SummaryGrouping, sumsByGroup, sumsOfRecord, type UsageBucket, type UsageRecord, utcDayOf,
} from '@tollgate/core';

const MEMBER_OF: Readonly<Record<BreakdownDimension, (record: UsageRecord) => string | null>> = {
  model: ({ service }) => service?.servedBy ?? null,
  key: ({ keyId }) => keyId,
  user: ({ attribution }) => attribution,
};

/** The group that a record belongs to; `null` for requests of none. */
export function groupOf(record: UsageRecord, dimension: BreakdownDimension): string | null {
  return MEMBER_OF[dimension](record);
}

function summaryGroupOf(record: UsageRecord, grouping: SummaryGrouping): string | null {
  if (grouping === 'day') return utcDayOf(record.endedAt);
  if (grouping === 'day-model') return `${utcDayOf(record.endedAt)} ${groupOf(record, 'model') ?? ''}`;
  return groupOf(record, grouping);
}

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** Totals per group: days ascending, other groups by charge descending. */
export function bucketsOf(records: readonly UsageRecord[], grouping: SummaryGrouping): readonly UsageBucket[] {
  const groups = sumsByGroup(records.map((record) => ({ group: summaryGroupOf(record, grouping), sums: sumsOfRecord(record) })));
  return groups.toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}
