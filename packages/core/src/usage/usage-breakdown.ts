import { type DayRange, PERIOD_UNITS, periodsOf, type PeriodUnit } from './calendar-periods.js';
import { addSums, byGroupName, byGroupRank, type GroupSums, NO_USAGE_SUMS, sumsByGroup, type UsageSums } from './usage-sums.js';

export interface UsageCell extends GroupSums {
  /** `null` without division by periods. */
  readonly period: string | null;
}

/** Sums of one group, or of all other groups together, in one period or in all periods. */
export interface UsageSlice extends UsageCell {
  /** True for the sum of the other groups, whose `group` is `null`. */
  readonly isOther: boolean;
  /** Number of groups that the slice sums up. */
  readonly groups: number;
}

/** The slices add up to the total, and so do the series. */
export interface UsageBreakdown {
  readonly total: UsageSums;
  /** Over all periods, by rank, other groups last. */
  readonly series: readonly UsageSlice[];
  /** Sorted by period; within a period, in the order of `series`. */
  readonly slices: readonly UsageSlice[];
}

export interface RankedUsage {
  /** Slices with equal period and group are added up. */
  readonly slices: readonly UsageSlice[];
  /** Number of groups outside the top, over all periods. */
  readonly otherGroups: number;
}

function nameOf({ group, isOther }: UsageSlice): string {
  return isOther ? 'other' : JSON.stringify(group);
}

/** Merges slices with equal keys; keeps period and group of the first. */
function merged(slices: readonly UsageSlice[], keyOf: (slice: UsageSlice) => string): readonly UsageSlice[] {
  const byKey = new Map<string, UsageSlice>();
  for (const slice of slices) {
    const sofar = byKey.get(keyOf(slice));
    const groups = slice.isOther ? slice.groups + (sofar?.groups ?? 0) : 1;
    byKey.set(keyOf(slice), sofar === undefined ? slice : { ...sofar, groups, sums: addSums(sofar.sums, slice.sums) });
  }
  return [...byKey.values()].filter(({ sums }) => sums.requests !== 0);
}

function byRank(first: UsageSlice, second: UsageSlice): number {
  if (first.isOther !== second.isOther) return first.isOther ? 1 : -1;
  return byGroupRank(first, second);
}

export function breakdownOf({ slices, otherGroups }: RankedUsage): UsageBreakdown {
  const series = merged(slices.map((slice) => ({ ...slice, period: null })), nameOf)
    .map((each) => (each.isOther ? { ...each, groups: otherGroups } : each)).toSorted(byRank);
  const places = new Map(series.map((each, place) => [nameOf(each), place]));
  const placeOf = (slice: UsageSlice): number => places.get(nameOf(slice)) ?? series.length;
  const ordered = merged(slices, (slice) => `${slice.period ?? ''} ${nameOf(slice)}`)
    .toSorted((first, second) => byGroupName(first.period, second.period) || placeOf(first) - placeOf(second));
  return { total: series.reduce((total, { sums }) => addSums(total, sums), NO_USAGE_SUMS), series, slices: ordered };
}

/** Keeps the `top` groups by charge; marks the slices of all other groups with `isOther`. */
export function rankUsage(cells: readonly UsageCell[], top: number): RankedUsage {
  const groups = sumsByGroup(cells).toSorted(byGroupRank);
  const kept = new Set(groups.slice(0, top).map(({ group }) => group));
  const periods = [...new Set(cells.map(({ period }) => period))];
  const slices = periods.flatMap((period) => sumsByGroup(cells.filter((cell) => cell.period === period)).map(({ group, sums }) => (
    kept.has(group) ? { period, group, sums, isOther: false, groups: 1 } : { period, group: null, sums, isOther: true, groups: 1 })));
  return { slices, otherGroups: Math.max(0, groups.length - top) };
}

/** Grouping by period, by group, by both or by neither. */
export interface BreakdownGrouping<Dimension extends string> {
  readonly unit: PeriodUnit | null;
  readonly group: Dimension | null;
}

/** Maximum buckets of a summary: the number of its periods times the number of its groups. */
export const MAX_SUMMARY_BUCKETS = 2_000;
/** Maximum groups of a summary by group only; an account may have any number of user names. */
export const MAX_SUMMARY_GROUPS = 1_000;
/** Maximum `top` that a client may request. */
export const MAX_TOP_GROUPS = 20;
/** Default `top` of a summary by group and period. */
export const DEFAULT_TOP_GROUPS = 5;

function isUnit(text: string): text is PeriodUnit {
  return PERIOD_UNITS.some((unit) => unit === text);
}

/** Reads `week`, `model`, or both in either order; `null` if invalid. Dimensions in `alone` cannot be combined with a period. */
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

export function topGroupsOf({ unit }: BreakdownGrouping<string>, asked: number | null): number {
  return asked ?? (unit === null ? MAX_SUMMARY_GROUPS : DEFAULT_TOP_GROUPS);
}

/** Maximum number of buckets: periods × groups, where all groups outside the top count as one. */
export function mostBucketsOf({ unit, group }: BreakdownGrouping<string>, days: DayRange, top: number): number {
  const periods = unit === null ? 1 : periodsOf(unit, days).length;
  return periods * (group === null ? 1 : top + 1);
}
