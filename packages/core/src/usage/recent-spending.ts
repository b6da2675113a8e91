import { UsdAmount } from '../money/price.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, later, MILLISECONDS_PER_DAY, type UtcDay, utcDayOf, utcMonthOf } from '../primitives/time.js';
import type { UsageBucket } from './usage-reader.js';

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
