import {
  type AccountId, type Clock, type Instant, MAX_SUMMARY_GROUPS, PAGE_SIZES, rfc3339, USAGE_GROUPINGS, type UsageGrouping, type UsageReader, type UsageSummaryQuery,
} from '@tollgate/core';
import { encodeAccountUsageRecord, encodeUsageBucket, encodeUsagePage } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { pathParameter, QueryParameters } from '../http/query-parameters.js';
import { sendJson } from '../http/reply/send-json.js';
import { decodeSummaryDays, readUsageDetail, readUsagePage, type SummaryPorts } from './usage-query.js';

/** `GET /v1/usage`: the account's usage records, newest first, in pages. */
export function listUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage', async (exchange, { account }) => {
    const query = QueryParameters.of(exchange);
    const page = await readUsagePage(usage, { scope: account.id, limit: query.pageSize('limit', PAGE_SIZES.usage.api) }, query);
    sendJson(exchange, 200, encodeUsagePage(page, encodeAccountUsageRecord));
  });
}

export function readUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage/:requestId', async (exchange, { account }) => {
    const wanted = { scope: account.id, requestId: pathParameter(exchange, 'requestId') };
    sendJson(exchange, 200, await readUsageDetail(usage, wanted, encodeAccountUsageRecord));
  });
}

export function summariseUsageEndpoint(usage: UsageReader, clock: Clock): Endpoint {
  return readEndpoint('/v1/usage/summary', async (exchange, { account }) => {
    sendJson(exchange, 200, await usageSummary(QueryParameters.of(exchange), account.id, { usage, clock }));
  });
}


function decodeSummaryQuery(query: QueryParameters, accountId: AccountId, now: Instant): UsageSummaryQuery<UsageGrouping> {
  const { from, to } = decodeSummaryDays(query, now);
  return { accountId, from, to, groupBy: query.oneOf('group_by', USAGE_GROUPINGS, 'day'), limit: MAX_SUMMARY_GROUPS + 1 };
}

/** Totals of whole UTC days, with the groups that have the largest charges. Reads `start`, `end` and `group_by` from the query. */
async function usageSummary(query: QueryParameters, accountId: AccountId, { usage, clock }: SummaryPorts) {
  const summary = decodeSummaryQuery(query, accountId, clock.now());
  const buckets = await usage.summary(summary);
  return {
    object: 'usage_summary' as const,
    start: rfc3339(summary.from),
    end: rfc3339(summary.to),
    group_by: summary.groupBy,
    data: buckets.slice(0, MAX_SUMMARY_GROUPS).map(encodeUsageBucket),
    has_more: buckets.length > MAX_SUMMARY_GROUPS,
  };
}
