import type { contract, QueryOf, ReplyOf } from '@tollgate/dashboard-contract';
import {
  type AccountId, type ApiKeyId, BREAKDOWN_DIMENSIONS, type BreakdownDimension, type BreakdownGrouping, type Clock, type DayRange, type Instant, type ModelSlug, MOST_SUMMARY_BUCKETS,
  mostBucketsOf, parseBreakdownGrouping, rfc3339, topGroupsOf, type UsageBreakdown, type UsageBreakdownQuery, type UsageReader, type UsageSlice,
} from '@tollgate/core';
import { encodeUsageSums } from '@tollgate/wire-kit';
import { invalidParameter, QueryParameters } from '../../../http/query/query-parameters.js';
import { decodeSummaryDays } from '../../../routes/usage/summary-period.js';

type SummaryQuery = QueryOf<typeof contract.usageSummary>;
type SummaryReply = ReplyOf<typeof contract.usageSummary>;

export interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

function groupingOf({ group_by: text = 'day', model, key_id: keyId }: SummaryQuery): BreakdownGrouping<BreakdownDimension> {
  const grouping = parseBreakdownGrouping(text, BREAKDOWN_DIMENSIONS, ['user']);
  const isFiltered = model !== undefined || keyId !== undefined;
  if (grouping === null || (grouping.group === 'user' && isFiltered)) {
    throw invalidParameter('group_by', text.split(',').includes('user')
      ? 'user alone and without model or key_id: sums by user are kept apart from those by model and key'
      : 'day, week or month, or model, key or user, or a period with model or key as in week,model');
  }
  return grouping;
}

/** Refuses what would have too many buckets. */
export function boundedTop(grouping: BreakdownGrouping<string>, days: DayRange, asked: number | undefined): number {
  const top = topGroupsOf(grouping, asked ?? null);
  const buckets = mostBucketsOf(grouping, days, top);
  if (buckets > MOST_SUMMARY_BUCKETS) {
    throw invalidParameter('group_by', `by a longer period, or top be smaller: there would be up to ${buckets} buckets, and ${MOST_SUMMARY_BUCKETS} are the most`);
  }
  return top;
}

function decodeQuery(query: SummaryQuery, accountId: AccountId, now: Instant): UsageBreakdownQuery {
  const { start, end, top, model, key_id: keyId } = query;
  const days = decodeSummaryDays(QueryParameters.from({ start, end }), now);
  const grouping = groupingOf(query);
  return {
    accountId, ...days, grouping, top: boundedTop(grouping, days, top), model: (model ?? null) as ModelSlug | null, keyId: (keyId ?? null) as ApiKeyId | null,
  };
}

function encodeSlice({ period, group, isOther, groups, sums }: UsageSlice) {
  return { period, group, is_other: isOther, groups, ...encodeUsageSums(sums) };
}

/** The reply without what it was asked for; the series are left out where they say what the data say. */
export function encodeBreakdown({ total, series, slices }: UsageBreakdown, { unit, group }: BreakdownGrouping<string>) {
  return { total: encodeUsageSums(total), series: unit === null || group === null ? [] : series.map(encodeSlice), data: slices.map(encodeSlice) };
}

/** What divides a summary, the period first. */
export function namesOf<Dimension extends string>({ unit, group }: BreakdownGrouping<Dimension>) {
  return [unit, group].filter((name) => name !== null);
}

/** Totals of an account's requests over whole UTC days, from its daily roll-ups. */
export async function summariseAccount(query: SummaryQuery, accountId: AccountId, { usage, clock }: SummaryPorts): Promise<SummaryReply> {
  const decoded = decodeQuery(query, accountId, clock.now());
  const { from, to, grouping } = decoded;
  const breakdown = await usage.breakdown(decoded);
  return { object: 'usage_summary', start: rfc3339(from), end: rfc3339(to), group_by: namesOf(grouping), as_of: null, ...encodeBreakdown(breakdown, grouping) };
}
