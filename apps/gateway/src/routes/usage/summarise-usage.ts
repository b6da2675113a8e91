import { type AccountId, type Clock, type Instant, MOST_SUMMARY_GROUPS, rfc3339, type UsageGrouping, type UsageReader, type UsageSummaryQuery } from '@tollgate/core';
import { encodeUsageBucket } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';
import { decodeSummaryDays } from './summary-period.js';

const GROUPINGS: readonly UsageGrouping[] = ['day', 'model', 'key', 'user'];

function decodeSummaryQuery(query: QueryParameters, accountId: AccountId, now: Instant): UsageSummaryQuery<UsageGrouping> {
  const { from, to } = decodeSummaryDays(query, now);
  return { accountId, from, to, groupBy: query.oneOf('group_by', GROUPINGS, 'day'), limit: MOST_SUMMARY_GROUPS + 1 };
}

interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

/** Reads `start`, `end` and `group_by`, and answers with totals over whole UTC days; of many groups those with the largest charges. */
async function usageSummary(query: QueryParameters, accountId: AccountId, { usage, clock }: SummaryPorts) {
  const summary = decodeSummaryQuery(query, accountId, clock.now());
  const buckets = await usage.summary(summary);
  return {
    object: 'usage_summary' as const,
    start: rfc3339(summary.from),
    end: rfc3339(summary.to),
    group_by: summary.groupBy,
    data: buckets.slice(0, MOST_SUMMARY_GROUPS).map(encodeUsageBucket),
    has_more: buckets.length > MOST_SUMMARY_GROUPS,
  };
}

/** `GET /v1/usage/summary`: totals per day, model, key or user. */
export function summariseUsageEndpoint(usage: UsageReader, clock: Clock): Endpoint {
  return readEndpoint('/v1/usage/summary', async (exchange, { account }) => {
    sendJson(exchange, 200, await usageSummary(QueryParameters.of(exchange), account.id, { usage, clock }));
  });
}
