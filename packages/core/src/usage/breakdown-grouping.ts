import { type DayRange, PERIOD_UNITS, periodsOf, type PeriodUnit } from './calendar-periods.js';

/** How a summary divides requests: by period, by group, or by both. */
export interface BreakdownGrouping<Dimension extends string> {
  readonly unit: PeriodUnit | null;
  readonly group: Dimension | null;
}

/** A summary spans so many days at most. */
export const MOST_SUMMARY_DAYS = 366;
/** Periods times groups, where a summary is divided by both. */
export const MOST_SUMMARY_BUCKETS = 2_000;
/** Of a summary by group alone: an account may name any number of users, and a reply of megabytes has no reader. */
export const MOST_SUMMARY_GROUPS = 1_000;
/** Groups that are told apart, if the client asks for some. */
export const MOST_TOP_GROUPS = 20;
/** The same by default, where periods divide the summary too. */
export const DEFAULT_TOP_GROUPS = 5;

function isUnit(text: string): text is PeriodUnit {
  return PERIOD_UNITS.some((unit) => unit === text);
}

/**
 * Reads `week`, `model` or `week,model`, in either order; `null` when it is none of them. Of the dimensions those in `alone` cannot be combined
 * with a period.
 */
export function parseBreakdownGrouping<Dimension extends string>(
  text: string, dimensions: readonly Dimension[], alone: readonly Dimension[] = [],
): BreakdownGrouping<Dimension> | null {
  const names = text.split(',');
  const [unit = null, ...otherUnits] = names.filter(isUnit);
  const rest = names.filter((name) => !isUnit(name));
  const group = dimensions.find((dimension) => dimension === rest[0]) ?? null;
  if (otherUnits.length > 0 || rest.length > 1 || (rest.length === 1 && group === null)) return null;
  return unit !== null && group !== null && alone.includes(group) ? null : { unit, group };
}

/** How many groups a summary tells apart: those with the largest charges. */
export function topGroupsOf({ unit }: BreakdownGrouping<string>, asked: number | null): number {
  return asked ?? (unit === null ? MOST_SUMMARY_GROUPS : DEFAULT_TOP_GROUPS);
}

/** How many buckets a summary by period and group has at most, the one for the other groups included. */
export function mostBucketsOf({ unit, group }: BreakdownGrouping<string>, days: DayRange, top: number): number {
  const periods = unit === null ? 1 : periodsOf(unit, days).length;
  return periods * (group === null ? 1 : top + 1);
}
