import {
  PAGE_SIZES, type AccountId, type ApiKeyId, type Clock, type DayRange, END_REASONS, GatewayError, type Instant, instant, later, MILLISECONDS_PER_DAY,
  type ModelSlug, MAX_SUMMARY_DAYS, MAX_SUMMARY_GROUPS, type RequestId, rfc3339, ServiceTokens, startOfNextUtcDay, startOfUtcDay,
  type UsageFilters, type UsageGrouping, type UsagePage, type UsageReader, type UsageReport, type UsageScope,
  type UsageSummaryQuery,
} from '@tollgate/core';
import { encodeAccountUsageRecord, encodeUsageBucket, encodeUsagePage, withChargeExplanation } from '@tollgate/wire-kit';
import { invalidParameter, pathParameter, periodParameter, QueryParameters } from '../http/query-parameters.js';
import { type Endpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { sendJson } from '../http/reply/send-json.js';

/** `GET /v1/usage`: the account's usage records, newest first, in pages. */
export function listUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage', async (exchange, { account }) => {
    const query = QueryParameters.of(exchange);
    const page = await readUsagePage(usage, { scope: account.id, limit: query.pageSize('limit', PAGE_SIZES.usage.api) }, query);
    sendJson(exchange, 200, encodeUsagePage(page, encodeAccountUsageRecord));
  });
}

/** `GET /v1/usage/{request_id}`: one record of the account. */
export function readUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage/:requestId', async (exchange, { account }) => {
    const wanted = { scope: account.id, requestId: pathParameter(exchange, 'requestId') };
    sendJson(exchange, 200, await readUsageDetail(usage, wanted, encodeAccountUsageRecord));
  });
}

/** `GET /v1/usage/summary`: totals per day, model, key or user. */
export function summariseUsageEndpoint(usage: UsageReader, clock: Clock): Endpoint {
  return readEndpoint('/v1/usage/summary', async (exchange, { account }) => {
    sendJson(exchange, 200, await usageSummary(QueryParameters.of(exchange), account.id, { usage, clock }));
  });
}

const AMOUNT_PATTERN = /^\d{1,12}(?:\.\d{1,6})?$/;

function leastChargeParameter(query: QueryParameters): ServiceTokens | null {
  const text = query.text('min_charge');
  if (text === null) return null;
  if (!AMOUNT_PATTERN.test(text)) throw invalidParameter('min_charge', 'a decimal number with at most 6 decimal places');
  return ServiceTokens.parse(text);
}

/** Reads `start`, `end`, `model`, `key_id`, `user`, `end_reason` and `min_charge`, the filters of lists and exports. */
export function decodeUsageFilters(query: QueryParameters): UsageFilters {
  return {
    ...periodParameter(query),
    model: query.text('model') as ModelSlug | null,
    keyId: query.text('key_id') as ApiKeyId | null,
    attribution: query.text('user'),
    endReason: query.oneOfOrNone('end_reason', END_REASONS),
    leastCharge: leastChargeParameter(query),
  };
}

interface UsagePageBounds {
  readonly scope: UsageScope;
  /** Records in the page. */
  readonly limit: number;
}

/** One page of usage records. Reads filters and `cursor` from the query. */
export async function readUsagePage(usage: UsageReader, { scope, limit }: UsagePageBounds, query: QueryParameters): Promise<UsagePage> {
  const page = await usage.list({ accountId: scope, ...decodeUsageFilters(query), limit, cursor: query.text('cursor') });
  if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page with the same filters');
  return page;
}

/** A record encoded by `encode`, with its charge explained and its ledger entries. Throws `not_found`, also for records of other accounts. */
export async function readUsageDetail<Encoded extends object>(
  usage: UsageReader, { scope, requestId }: { readonly scope: UsageScope; readonly requestId: string }, encode: (record: UsageReport) => Encoded,
) {
  const id = requestId as RequestId;
  const record = await usage.find(scope, id);
  if (record === null) throw new GatewayError('not_found', 'There is no usage record with this request id.');
  return withChargeExplanation(encode(record), record, await usage.transfersOf(scope, id));
}

const DEFAULT_DAYS = 30;

function earlier(at: Instant, days: number): Instant {
  return instant(Math.max(0, at - days * MILLISECONDS_PER_DAY));
}

/** The first midnight at or after an instant: the end of the last whole day. */
function endOfDays(at: Instant): Instant {
  return startOfUtcDay(at) === at ? at : startOfNextUtcDay(at);
}

/** Reads `start` and `end` as whole UTC days. Default: today and the 29 days before. */
export function decodeSummaryDays(query: QueryParameters, now: Instant): DayRange {
  const period = periodParameter(query);
  const to = endOfDays(period.to ?? startOfNextUtcDay(now));
  const from = period.from === null ? earlier(to, DEFAULT_DAYS) : startOfUtcDay(period.from);
  if (to <= from) throw invalidParameter('start', 'earlier than end');
  if (to > later(from, MAX_SUMMARY_DAYS * MILLISECONDS_PER_DAY)) throw invalidParameter('start', `at most ${MAX_SUMMARY_DAYS} days before end`);
  return { from, to };
}

const GROUPINGS: readonly UsageGrouping[] = ['day', 'model', 'key', 'user'];

function decodeSummaryQuery(query: QueryParameters, accountId: AccountId, now: Instant): UsageSummaryQuery<UsageGrouping> {
  const { from, to } = decodeSummaryDays(query, now);
  return { accountId, from, to, groupBy: query.oneOf('group_by', GROUPINGS, 'day'), limit: MAX_SUMMARY_GROUPS + 1 };
}

interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

/** Reads `start`, `end` and `group_by`. Totals are for whole UTC days, and list the groups with the largest charges. */
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
