import { type BreakdownDimension, type SummaryGrouping, type UsageRecord, utcDayOf } from '@tollgate/core';

const MEMBER_OF: Readonly<Record<BreakdownDimension, (record: UsageRecord) => string | null>> = {
  model: ({ service }) => service?.servedBy ?? null,
  key: ({ keyId }) => keyId,
  user: ({ attribution }) => attribution,
};

/** The group that a record belongs to; `null` for requests of none. */
export function groupOf(record: UsageRecord, dimension: BreakdownDimension): string | null {
  return MEMBER_OF[dimension](record);
}

export function summaryGroupOf(record: UsageRecord, grouping: SummaryGrouping): string | null {
  if (grouping === 'day') return utcDayOf(record.endedAt);
  if (grouping === 'day-model') return `${utcDayOf(record.endedAt)} ${groupOf(record, 'model') ?? ''}`;
  return groupOf(record, grouping);
}
