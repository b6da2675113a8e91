import { UsdAmount } from '../money/usd-amount.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, later, MILLISECONDS_PER_DAY, type UtcDay, utcDayOf, utcMonthOf } from '../primitives/time.js';
import type { UsageBucket } from './usage-sums.js';

export interface Spent {
  readonly charged: ServiceTokens;
  readonly usd: UsdAmount;
}

/** Spending by UTC days. */
export interface RecentSpending {
  readonly today: Spent;
  readonly month: Spent;
  /** The month before, up to the same day of the month. */
  readonly lastMonth: Spent;
  /** Today and the six days before. */
  readonly sevenDays: Spent;
}

export interface DaySum extends Pick<UsageBucket, 'charged' | 'chargedUsd'> {
  readonly day: UtcDay;
}

/** Days of the longest two consecutive months. */
export const TWO_MONTHS_DAYS = 62;
const AVERAGED_DAYS = 7;

/** First of the `count` UTC days that end with the day of `now`. */
export function firstOfLastDays(count: number, now: Instant): UtcDay {
  return utcDayOf(later(now, -(count - 1) * MILLISECONDS_PER_DAY));
}

function sumOf(days: readonly DaySum[]): Spent {
  return days.reduce<Spent>(({ charged, usd }, day) => ({ charged: charged.plus(day.charged), usd: usd.plus(UsdAmount.parse(day.chargedUsd)) }), {
    charged: ServiceTokens.ZERO, usd: UsdAmount.ZERO,
  });
}

/** Today and the six days before, in UTC. */
export function lastDaysOf(days: readonly DaySum[], now: Instant): readonly DaySum[] {
  const [first, today] = [firstOfLastDays(AVERAGED_DAYS, now), utcDayOf(now)];
  return days.filter(({ day }) => day >= first && day <= today);
}

/** Days of last month up to the same day of the month. Labels of days compare as texts, so the day need not exist in last month. */
function sameDaysOfLastMonth(days: readonly DaySum[], now: Instant): readonly DaySum[] {
  const dayOfMonth = utcDayOf(now).slice(-2);
  const month = utcMonthOf(later(now, -Number(dayOfMonth) * MILLISECONDS_PER_DAY));
  return days.filter(({ day }) => day.startsWith(month) && day <= `${month}-${dayOfMonth}`);
}

/** `days` must cover at least the last `TWO_MONTHS_DAYS` days; a day may occur several times. */
export function recentSpending(days: readonly DaySum[], now: Instant): RecentSpending {
  const [today, month] = [utcDayOf(now), utcMonthOf(now)];
  return {
    today: sumOf(days.filter(({ day }) => day === today)),
    month: sumOf(days.filter(({ day }) => day.startsWith(month))),
    lastMonth: sumOf(sameDaysOfLastMonth(days, now)),
    sevenDays: sumOf(lastDaysOf(days, now)),
  };
}
