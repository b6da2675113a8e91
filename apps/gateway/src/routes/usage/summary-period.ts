import { type DayRange, type Instant, instant, later, MILLISECONDS_PER_DAY, MOST_SUMMARY_DAYS, startOfNextUtcDay, startOfUtcDay } from '@tollgate/core';
import { periodParameter } from '../../http/query/instant-parameter.js';
import { invalidParameter, type QueryParameters } from '../../http/query/query-parameters.js';

const DEFAULT_DAYS = 30;

function earlier(at: Instant, days: number): Instant {
  return instant(Math.max(0, at - days * MILLISECONDS_PER_DAY));
}

/** The first midnight at or after an instant: where whole days that reach up to it end. */
function endOfDays(at: Instant): Instant {
  return startOfUtcDay(at) === at ? at : startOfNextUtcDay(at);
}

/** Reads `start` and `end` as whole UTC days; the last 30 days with today, unless told otherwise. */
export function decodeSummaryDays(query: QueryParameters, now: Instant): DayRange {
  const period = periodParameter(query);
  const to = endOfDays(period.to ?? startOfNextUtcDay(now));
  const from = period.from === null ? earlier(to, DEFAULT_DAYS) : startOfUtcDay(period.from);
  if (to <= from) throw invalidParameter('start', 'earlier than end');
  if (to > later(from, MOST_SUMMARY_DAYS * MILLISECONDS_PER_DAY)) throw invalidParameter('start', `at most ${MOST_SUMMARY_DAYS} days before end`);
  return { from, to };
}
