import { type DayRange, PERIOD_UNITS, periodsOf, type PeriodUnit } from './calendar-periods.js';
import { addSums, byGroupName, byGroupRank, type GroupSums, NO_USAGE_SUMS, sumsByGroup, type UsageSums } from './usage-sums.js';

/** The sums of one group in one period. */
export interface UsageCell extends GroupSums {
  /** The label of the period; `null` where a summary is not divided by periods. */
  readonly period: string | null;
}

/** The sums of one group, or of all groups that are not told apart, in one period or in all. */
export interface UsageSlice extends UsageCell {
  /** Stands for the groups that are not told apart; `group` is `null` then. */
  readonly isOther: boolean;
  /** How many groups it stands for. */
  readonly groups: number;
}

/** A summary. Its slices add up to its series, and both to the total. */
export interface UsageBreakdown {
  readonly total: UsageSums;
  /** Each group over all periods by its rank, the other groups last. */
  readonly series: readonly UsageSlice[];
  /** By period, in a period as the series are. */
  readonly slices: readonly UsageSlice[];
}

/** What a summary is made of once the groups are ranked. */
export interface RankedUsage {
  /** Several for the same period and group are added up. */
  readonly slices: readonly UsageSlice[];
  /** Distinct groups of all periods that are not told apart. */
  readonly otherGroups: number;
}

function nameOf({ group, isOther }: UsageSlice): string {
  return isOther ? 'other' : JSON.stringify(group);
}

/** Adds up slices that belong together by their key, each keeping the period and group of the first. */
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

/** Puts ranked slices in order and adds them up. */
export function breakdownOf({ slices, otherGroups }: RankedUsage): UsageBreakdown {
  const series = merged(slices.map((slice) => ({ ...slice, period: null })), nameOf)
    .map((each) => (each.isOther ? { ...each, groups: otherGroups } : each)).toSorted(byRank);
  const places = new Map(series.map((each, place) => [nameOf(each), place]));
  const placeOf = (slice: UsageSlice): number => places.get(nameOf(slice)) ?? series.length;
  const ordered = merged(slices, (slice) => `${slice.period ?? ''} ${nameOf(slice)}`)
    .toSorted((first, second) => byGroupName(first.period, second.period) || placeOf(first) - placeOf(second));
  return { total: series.reduce((total, { sums }) => addSums(total, sums), NO_USAGE_SUMS), series, slices: ordered };
}

/** Tells the groups with the largest charges apart and takes the rest together, `top` groups at most. */
export function rankUsage(cells: readonly UsageCell[], top: number): RankedUsage {
  const groups = sumsByGroup(cells).toSorted(byGroupRank);
  const kept = new Set(groups.slice(0, top).map(({ group }) => group));
  const periods = [...new Set(cells.map(({ period }) => period))];
  const slices = periods.flatMap((period) => sumsByGroup(cells.filter((cell) => cell.period === period)).map(({ group, sums }) => (
    kept.has(group) ? { period, group, sums, isOther: false, groups: 1 } : { period, group: null, sums, isOther: true, groups: 1 })));
  return { slices, otherGroups: Math.max(0, groups.length - top) };
}

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
