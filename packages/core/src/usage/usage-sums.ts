import type { UsageRecord } from '../billing/usage-record.js';
import { outputTokensOf } from '../generation/usage.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { UsdAmount } from '../money/price.js';
import type { SummaryGrouping, UsageBucket } from '../ports/usage-reader.js';
import {
  type Instant, instant, later, MILLISECONDS_PER_DAY, startOfNextUtcDay, startOfNextUtcMonth, startOfUtcDay, type UtcDay, utcDayOf,
  utcMonthOf,
} from '../time.js';

/** What some requests add up to. */
export interface UsageSums {
  readonly requests: number;
  readonly uncachedPromptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
  /** Reasoning tokens included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly charged: ServiceTokens;
  /** Each charge at the rate it was charged at. */
  readonly chargedUsd: UsdAmount;
}

export const NO_USAGE_SUMS: UsageSums = {
  requests: 0, uncachedPromptTokens: 0, cachedPromptTokens: 0, cacheCreationTokens: 0, outputTokens: 0, reasoningTokens: 0,
  charged: ServiceTokens.ZERO, chargedUsd: UsdAmount.ZERO,
};

export function addSums(first: UsageSums, second: UsageSums): UsageSums {
  return {
    requests: first.requests + second.requests,
    uncachedPromptTokens: first.uncachedPromptTokens + second.uncachedPromptTokens,
    cachedPromptTokens: first.cachedPromptTokens + second.cachedPromptTokens,
    cacheCreationTokens: first.cacheCreationTokens + second.cacheCreationTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    reasoningTokens: first.reasoningTokens + second.reasoningTokens,
    charged: first.charged.plus(second.charged),
    chargedUsd: first.chargedUsd.plus(second.chargedUsd),
  };
}

/** What one request adds. */
export function sumsOfRecord({ usage, charge }: UsageRecord): UsageSums {
  const { uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, reasoningTokens } = usage;
  return {
    requests: 1, uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, outputTokens: outputTokensOf(usage), reasoningTokens,
    charged: charge.amount, chargedUsd: charge.usd,
  };
}

/** Something with sums of its own, in a group or, with `null`, in none. */
export interface GroupSums {
  readonly group: string | null;
  readonly sums: UsageSums;
}

/** Groups by their names; requests of no group come last. */
export function byGroupName(first: string | null, second: string | null): number {
  if (first === second) return 0;
  if (first === null) return 1;
  if (second === null) return -1;
  return first < second ? -1 : 1;
}

/** The rank of groups: the largest charge first, equal ones by name. */
export function byGroupRank(first: GroupSums, second: GroupSums): number {
  const [mine, other] = [first.sums.charged, second.sums.charged];
  if (mine.equals(other)) return byGroupName(first.group, second.group);
  return mine.isLessThan(other) ? 1 : -1;
}

/** One entry for each group, in the order in which they come. A group whose requests have all been taken back is none. */
export function sumsByGroup(parts: readonly GroupSums[]): readonly GroupSums[] {
  const byGroup = new Map<string | null, UsageSums>();
  for (const { group, sums } of parts) {
    const sofar = byGroup.get(group);
    byGroup.set(group, sofar === undefined ? sums : addSums(sofar, sums));
  }
  return [...byGroup].map(([group, sums]) => ({ group, sums })).filter(({ sums }) => sums.requests !== 0);
}

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** One bucket for each group, whatever rates its requests were charged at: days ascending, other groups by charge descending. */
export function usageBuckets(parts: readonly GroupSums[], grouping: SummaryGrouping): readonly UsageBucket[] {
  return sumsByGroup(parts).toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}

/** A group as the totals of a list show it. */
export function bucketOf({ group, sums: { chargedUsd, ...sums } }: GroupSums): UsageBucket {
  return { group, ...sums, chargedUsd: chargedUsd.toString() };
}

/** Units of the UTC calendar. Weeks are those of ISO 8601, which begin on Monday. */
export const PERIOD_UNITS = ['day', 'week', 'month'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** Whole UTC days. */
export interface DayRange {
  /** The midnight that the first day begins with. */
  readonly from: Instant;
  /** The midnight that the last day ends with. */
  readonly to: Instant;
}

/** The days of a range that belong to one day, week or month. */
export interface CalendarPeriod {
  /** `2026-11-22`, for a week its Monday, for a month `2026-11`; a week or month that the range cuts keeps its label. */
  readonly label: string;
  readonly from: UtcDay;
  /** The first day after it. */
  readonly before: UtcDay;
}

const DAYS_PER_WEEK = 7;
/** The first day of 1970 was a Thursday: so many days after a Monday. */
const EPOCH_WEEKDAY = 3;

/** The first instant of the ISO week that `at` falls in. */
export function startOfUtcWeek(at: Instant): Instant {
  const dayNumber = Math.floor(at / MILLISECONDS_PER_DAY);
  const weekday = (dayNumber + EPOCH_WEEKDAY) % DAYS_PER_WEEK;
  return instant((dayNumber - weekday) * MILLISECONDS_PER_DAY);
}

interface PeriodRule {
  readonly label: (at: Instant) => string;
  /** The first instant of the next period. */
  readonly next: (at: Instant) => Instant;
}

function mondayOf(at: Instant): string {
  return utcDayOf(startOfUtcWeek(at));
}

const RULES: Readonly<Record<PeriodUnit, PeriodRule>> = {
  day: { label: utcDayOf, next: startOfNextUtcDay },
  week: { label: mondayOf, next: (at) => later(startOfUtcWeek(at), DAYS_PER_WEEK * MILLISECONDS_PER_DAY) },
  month: { label: utcMonthOf, next: startOfNextUtcMonth },
};

/** The periods of a range in their order. Together they are its days, each once. */
export function periodsOf(unit: PeriodUnit, { from, to }: DayRange): readonly CalendarPeriod[] {
  const { label, next } = RULES[unit];
  const periods: CalendarPeriod[] = [];
  for (let at = startOfUtcDay(from); at < to; at = next(at)) {
    const end = next(at) < to ? next(at) : to;
    periods.push({ label: label(at), from: utcDayOf(at), before: utcDayOf(end) });
  }
  return periods;
}

/** What requests were charged, in both currencies. */
export interface Spent {
  readonly charged: ServiceTokens;
  readonly usd: UsdAmount;
}

/** What an account was charged of late, by UTC days. */
export interface RecentSpending {
  readonly today: Spent;
  readonly month: Spent;
  /** Today and the six days before. */
  readonly sevenDays: Spent;
}

/** Sums of one day. */
export interface DaySum extends Pick<UsageBucket, 'charged' | 'chargedUsd'> {
  readonly day: UtcDay;
}

/** No month has more. */
export const LONGEST_MONTH_DAYS = 31;
const AVERAGED_DAYS = 7;

/** The first of so many UTC days of which the day of `now` is the last. */
export function firstOfLastDays(count: number, now: Instant): UtcDay {
  return utcDayOf(later(now, -(count - 1) * MILLISECONDS_PER_DAY));
}

function sumOf(days: readonly DaySum[]): Spent {
  return days.reduce<Spent>(({ charged, usd }, day) => ({ charged: charged.plus(day.charged), usd: usd.plus(UsdAmount.parse(day.chargedUsd)) }), {
    charged: ServiceTokens.ZERO, usd: UsdAmount.ZERO,
  });
}

/** From sums of at least the last 31 days; a day may have several. */
export function recentSpending(days: readonly DaySum[], now: Instant): RecentSpending {
  const [today, month, firstOfSeven] = [utcDayOf(now), utcMonthOf(now), firstOfLastDays(AVERAGED_DAYS, now)];
  return {
    today: sumOf(days.filter(({ day }) => day === today)),
    month: sumOf(days.filter(({ day }) => day.startsWith(month))),
    sevenDays: sumOf(days.filter(({ day }) => day >= firstOfSeven && day <= today)),
  };
}

/** In how many whole days a balance is spent if each costs as much as the average of seven did; `null` where they cost nothing. */
export function daysUntilSpent(available: ServiceTokens, { charged }: Spent): number | null {
  if (charged.isZero()) return null;
  return Number(available.toUnits() * BigInt(AVERAGED_DAYS) / charged.toUnits());
}
