import {
  type ApiKeyId, type Clock, type DayRange, END_REASONS, GatewayError, type Instant, MAX_SUMMARY_DAYS, type ModelSlug,
  type RequestId, ServiceTokens, summaryDays, type UsageFilters, type UsagePage, type UsageReader, type UsageReport, type UsageScope,
} from '@tollgate/core';
import { withChargeExplanation } from '@tollgate/wire-kit';
import { invalidParameter, periodParameter, type QueryParameters } from '../http/query-parameters.js';

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

/** What sums of usage are read with. */
export interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

interface UsagePageBounds {
  readonly scope: UsageScope;
  /** Maximum records of a page. */
  readonly limit: number;
}

/** One page of usage records. Reads filters and `cursor` from the query. */
export async function readUsagePage(usage: UsageReader, { scope, limit }: UsagePageBounds, query: QueryParameters): Promise<UsagePage> {
  const page = await usage.list({ accountId: scope, ...decodeUsageFilters(query), limit, cursor: query.text('cursor') });
  if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page with the same filters');
  return page;
}

/**
 * The record with this request id, encoded by `encode`, with its charge explained and its ledger entries. Throws `not_found` if `scope` contains no
 * such record.
 */
export async function readUsageDetail<Encoded extends object>(
  usage: UsageReader, { scope, requestId }: { readonly scope: UsageScope; readonly requestId: string }, encode: (record: UsageReport) => Encoded,
) {
  const id = requestId as RequestId;
  const record = await usage.find(scope, id);
  if (record === null) throw new GatewayError('not_found', 'There is no usage record with this request id.');
  return withChargeExplanation(encode(record), record, await usage.transfersOf(scope, id));
}

/** Reads `start` and `end` as whole UTC days. Default: today and the 29 days before. */
export function decodeSummaryDays(query: QueryParameters, now: Instant): DayRange {
  const days = summaryDays(periodParameter(query), now);
  if (days === 'reversed') throw invalidParameter('start', 'earlier than end');
  if (days === 'too-many') throw invalidParameter('start', `at most ${MAX_SUMMARY_DAYS} days before end`);
  return days;
}
