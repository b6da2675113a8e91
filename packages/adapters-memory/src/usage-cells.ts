import {
  type BreakdownDimension, type DayRange, parseUtcDay, periodsOf, type PeriodUnit, sumsOfRecord, type UsageCell, type UsageRecord,
} from '@tollgate/core';

const MEMBER_OF: Readonly<Record<BreakdownDimension, (record: UsageRecord) => string | null>> = {
  model: ({ service }) => service?.servedBy ?? null,
  key: ({ keyId }) => keyId,
  user: ({ attribution }) => attribution,
};

/** The record's model, key or user; `null` if it has none. */
export function groupOf(record: UsageRecord, dimension: BreakdownDimension): string | null {
  return MEMBER_OF[dimension](record);
}

/** One cell for each record that ended within the range, in the period in which it ended. */
export function cellsOf(
  records: readonly UsageRecord[], { from, to, unit }: DayRange & { readonly unit: PeriodUnit | null }, nameOf: (record: UsageRecord) => string | null,
): readonly UsageCell[] {
  const periods = unit === null ? [] : periodsOf(unit, { from, to });
  const labelOf = ({ endedAt }: UsageRecord): string | null => periods.findLast((period) => endedAt >= (parseUtcDay(period.from) ?? endedAt))?.label ?? null;
  return records.filter(({ endedAt }) => endedAt >= from && endedAt < to)
    .map((record) => ({ period: labelOf(record), group: nameOf(record), sums: sumsOfRecord(record) }));
}
