import { type DayRange, parseUtcDay, type PeriodUnit, periodsOf, sumsOfRecord, type UsageCell, type UsageRecord } from '@tollgate/core';

/** One cell for each record of the range, under the period it ended in. */
export function cellsOf(
  records: readonly UsageRecord[], { from, to, unit }: DayRange & { readonly unit: PeriodUnit | null }, groupOf: (record: UsageRecord) => string | null,
): readonly UsageCell[] {
  const periods = unit === null ? [] : periodsOf(unit, { from, to });
  const labelOf = ({ endedAt }: UsageRecord): string | null => periods.findLast((period) => endedAt >= (parseUtcDay(period.from) ?? endedAt))?.label ?? null;
  return records.filter(({ endedAt }) => endedAt >= from && endedAt < to)
    .map((record) => ({ period: labelOf(record), group: groupOf(record), sums: sumsOfRecord(record) }));
}
