import {
  type Account, type Clock, type Instant, instant, later, MILLISECONDS_PER_DAY, rfc3339,
  startOfNextUtcDay, startOfUtcDay, type UsageGrouping, type UsageReader, type UsageSummaryQuery,
} from '@tollgate/core';
import { encodeUsageBucket } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { periodParameter } from '../../http/query/instant-parameter.js';
import { invalidParameter, QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';

const GROUPINGS: readonly UsageGrouping[] = ['day', 'model', 'key', 'user'];
const DEFAULT_DAYS = 30;
const MAXIMUM_DAYS = 366;
/** Groups shown at most: an account may name any number of users, and nobody reads a reply of megabytes. */
const MAXIMUM_GROUPS = 1_000;

function earlier(at: Instant, days: number): Instant {
  return instant(Math.max(0, at - days * MILLISECONDS_PER_DAY));
}

/** The first midnight at or after an instant: where whole days that reach up to it end. */
function endOfDays(at: Instant): Instant {
  return startOfUtcDay(at) === at ? at : startOfNextUtcDay(at);
}

function decodeSummaryQuery(query: QueryParameters, { id }: Account, now: Instant): UsageSummaryQuery {
  const period = periodParameter(query);
  const to = endOfDays(period.to ?? startOfNextUtcDay(now));
  const from = period.from === null ? earlier(to, DEFAULT_DAYS) : startOfUtcDay(period.from);
  if (to <= from) throw invalidParameter('start', 'earlier than end');
  if (to > later(from, MAXIMUM_DAYS * MILLISECONDS_PER_DAY)) throw invalidParameter('start', `at most ${MAXIMUM_DAYS} days before end`);
  return { accountId: id, from, to, groupBy: query.oneOf('group_by', GROUPINGS, 'day'), limit: MAXIMUM_GROUPS + 1 };
}

/** `GET /v1/usage/summary`: totals per day, model, key or user over whole UTC days; of many groups those with the largest charges. */
export function summariseUsageEndpoint(usage: UsageReader, clock: Clock): Endpoint {
  return readEndpoint('/v1/usage/summary', async (exchange, { account }) => {
    const query = decodeSummaryQuery(QueryParameters.of(exchange), account, clock.now());
    const buckets = await usage.summary(query);
    sendJson(exchange, 200, {
      object: 'usage_summary',
      start: rfc3339(query.from),
      end: rfc3339(query.to),
      group_by: query.groupBy,
      data: buckets.slice(0, MAXIMUM_GROUPS).map(encodeUsageBucket),
      has_more: buckets.length > MAXIMUM_GROUPS,
    });
  });
}
