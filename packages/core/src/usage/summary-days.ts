import { type Instant, instant, later, MILLISECONDS_PER_DAY, startOfNextUtcDay, startOfUtcDay } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';

export const MAX_SUMMARY_DAYS = 366;
const DEFAULT_DAYS = 30;

function earlier(at: Instant, days: number): Instant {
  return instant(Math.max(0, at - days * MILLISECONDS_PER_DAY));
}

/** The first midnight at or after `at`: the end of the last whole day. */
function endOfDays(at: Instant): Instant {
  return startOfUtcDay(at) === at ? at : startOfNextUtcDay(at);
}

/** The whole UTC days of a requested summary. Without `to`, it ends with today; without `from`, it has 30 days. */
export function summaryDays(asked: { readonly from: Instant | null; readonly to: Instant | null }, now: Instant): DayRange | 'reversed' | 'too-many' {
  const to = endOfDays(asked.to ?? startOfNextUtcDay(now));
  const from = asked.from === null ? earlier(to, DEFAULT_DAYS) : startOfUtcDay(asked.from);
  if (to <= from) return 'reversed';
  return to > later(from, MAX_SUMMARY_DAYS * MILLISECONDS_PER_DAY) ? 'too-many' : { from, to };
}
