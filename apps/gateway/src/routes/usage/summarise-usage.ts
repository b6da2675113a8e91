import {
  type AccountId, type Clock, type Instant, instant, later, MILLISECONDS_PER_DAY, rfc3339,
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

function decodeSummaryQuery(query: QueryParameters, accountId: AccountId, now: Instant): UsageSummaryQuery<UsageGrouping> {
  const period = periodParameter(query);
  const to = endOfDays(period.to ?? startOfNextUtcDay(now));
  const from = period.from === null ? earlier(to, DEFAULT_DAYS) : startOfUtcDay(period.from);
  if (to <= from) throw invalidParameter('start', 'earlier than end');
  if (to > later(from, MAXIMUM_DAYS * MILLISECONDS_PER_DAY)) throw invalidParameter('start', `at most ${MAXIMUM_DAYS} days before end`);
  return { accountId, from, to, groupBy: query.oneOf('group_by', GROUPINGS, 'day'), limit: MAXIMUM_GROUPS + 1 };
}

export interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

/** Reads `start`, `end` and `group_by`, and answers with totals over whole UTC days; of many groups those with the largest charges. */
export async function usageSummary(query: QueryParameters, accountId: AccountId, { usage, clock }: SummaryPorts) {
  const summary = decodeSummaryQuery(query, accountId, clock.now());
  const buckets = await usage.summary(summary);
  return {
    object: 'usage_summary' as const,
    start: rfc3339(summary.from),
    end: rfc3339(summary.to),
    group_by: summary.groupBy,
    data: buckets.slice(0, MAXIMUM_GROUPS).map(encodeUsageBucket),
    has_more: buckets.length > MAXIMUM_GROUPS,
  };
}

/** `GET /v1/usage/summary`: totals per day, model, key or user. */
export function summariseUsageEndpoint(usage: UsageReader, clock: Clock): Endpoint {
  return readEndpoint('/v1/usage/summary', async (exchange, { account }) => {
    sendJson(exchange, 200, await usageSummary(QueryParameters.of(exchange), account.id, { usage, clock }));
  });
}
