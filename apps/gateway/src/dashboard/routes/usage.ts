import {
  type AccountId, ALL_ACCOUNTS, type AllAccountsUsage, type ApiKeyId, BREAKDOWN_DIMENSIONS, type BreakdownDimension,
  type BreakdownGrouping, type DayRange, type Instant, type ModelSlug, MAX_SUMMARY_BUCKETS,
  mostBucketsOf, parseBreakdownGrouping, rfc3339, topGroupsOf, TOTALS_DIMENSIONS, type TotalsDimension,
  type TotalsQuery, type UsageBreakdown, type UsageBreakdownQuery, type UsageScope, type UsageSlice,
} from '@tollgate/core';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord, encodeUsagePage, encodeUsageSums, timeOrNull } from '@tollgate/wire-kit';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import { invalidParameter, QueryParameters } from '../../http/query-parameters.js';
import { decodeSummaryDays, decodeUsageFilters, readUsageDetail, readUsagePage, type SummaryPorts } from '../../routes/usage-query.js';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { firstTokenEndpoints } from './first-token.js';
import { RunningExports, sendUsageExport, type UsageExportOrder } from './usage-export.js';

/** Endpoints for the owner's own usage, and, for operators, for that of all accounts. Of two matching paths, the more specific one is first. */
export function usageEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const exports = new RunningExports();
  return [...firstTokenEndpoints(ports), ...ownerEndpoints(ports, exports), ...operatorEndpoints(ports, exports)];
}

function ownerEndpoints(ports: DashboardPorts, exports: RunningExports): readonly DashboardEndpoint[] {
  const { usage } = ports;
  return [
    endpoint(contract.listUsage)(async ({ visitor: { account }, query }) =>
      encodeUsagePage(await readUsagePage(usage, { scope: account.id, limit: query.limit }, QueryParameters.from(query)), encodeAccountUsageRecord)),
    endpoint(contract.usageSummary)(async ({ visitor: { account }, query }) => summariseAccount(query, account.id, ports)),
    endpoint(contract.exportUsage)(({ exchange, visitor: { person, account }, query: { format, bom, ...filters } }) => exports.run(person.id, () =>
      sendUsageExport(usage, exchange, { scope: account.id, reader: 'owner', format, bom: bom === '1', query: QueryParameters.from(filters) }))),
    endpoint(contract.readUsage)(({ visitor: { account }, params }) =>
      readUsageDetail(usage, { scope: account.id, requestId: params.request_id }, encodeAccountUsageRecord)),
  ];
}

interface AuditedExport extends Pick<UsageExportOrder, 'format' | 'query'> {
  readonly account: string | undefined;
}

/** Records the export in the audit log. An export may contain many accounts, so the entry belongs to none, and owners do not see it. */
async function recordExport({ account, format, query }: AuditedExport, call: DashboardCall, { auditTrail, clock }: DashboardPorts): Promise<void> {
  const { from, to } = decodeUsageFilters(query);
  const details = { format, from: timeOrNull(from), to: timeOrNull(to) };
  await auditTrail.append({ actor: actorOf(call, 'operator'), at: clock.now(), action: 'usage.exported', subject: account ?? 'all', accountId: null, details });
}

function operatorEndpoints(ports: DashboardPorts, exports: RunningExports): readonly DashboardEndpoint[] {
  const { usage } = ports;
  return [
    endpoint(contract.listAllUsage)(async ({ query: { account, ...query } }) =>
      encodeUsagePage(await readUsagePage(usage, { scope: scopeOf({ account }), limit: query.limit }, QueryParameters.from(query)), encodeOperatorUsageRecord)),
    endpoint(contract.allUsageSummary)(({ query }) => summariseAll(query, ports)),
    endpoint(contract.exportAllUsage)(({ exchange, visitor: { person }, call, query: { account, format, bom, ...filters } }) => exports.run(person.id, async () => {
      const query = QueryParameters.from(filters);
      await recordExport({ account, format, query }, call, ports);
      await sendUsageExport(usage, exchange, { scope: scopeOf({ account }), reader: 'operator', format, bom: bom === '1', query });
    })),
    endpoint(contract.readAnyUsage)(({ params }) => readUsageDetail(usage, { scope: ALL_ACCOUNTS, requestId: params.request_id }, encodeOperatorUsageRecord)),
  ];
}

type SummaryQuery = QueryOf<typeof contract.usageSummary>;
type SummaryReply = ReplyOf<typeof contract.usageSummary>;

function groupingOf({ group_by: text = 'day', model, key_id: keyId }: SummaryQuery): BreakdownGrouping<BreakdownDimension> {
  const grouping = parseBreakdownGrouping(text, BREAKDOWN_DIMENSIONS, ['user']);
  const isFiltered = model !== undefined || keyId !== undefined;
  if (grouping === null || (grouping.group === 'user' && isFiltered)) {
    throw invalidParameter('group_by', text.split(',').includes('user')
      ? 'user alone, without model or key_id: totals by user cannot be combined with totals by model or key'
      : 'day, week or month, or model, key or user, or a period with model or key as in week,model');
  }
  return grouping;
}

/** Throws if there would be too many buckets. */
function boundedTop(grouping: BreakdownGrouping<string>, days: DayRange, asked: number | undefined): number {
  const top = topGroupsOf(grouping, asked ?? null);
  const buckets = mostBucketsOf(grouping, days, top);
  if (buckets > MAX_SUMMARY_BUCKETS) {
    throw invalidParameter('group_by', `by a longer period, or top must be smaller: the result would have up to ${buckets} buckets, and at most ${MAX_SUMMARY_BUCKETS} are allowed`);
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

/** `series` is empty unless usage is divided by both period and group, because it would repeat `data`. */
function encodeBreakdown({ total, series, slices }: UsageBreakdown, { unit, group }: BreakdownGrouping<string>) {
  return { total: encodeUsageSums(total), series: unit === null || group === null ? [] : series.map(encodeSlice), data: slices.map(encodeSlice) };
}

/** Names of the dimensions, the period first. */
function namesOf<Dimension extends string>({ unit, group }: BreakdownGrouping<Dimension>) {
  return [unit, group].filter((name) => name !== null);
}

/** Sums of one account over whole UTC days, from daily roll-ups. */
async function summariseAccount(query: SummaryQuery, accountId: AccountId, { usage, clock }: SummaryPorts): Promise<SummaryReply> {
  const decoded = decodeQuery(query, accountId, clock.now());
  const { from, to, grouping } = decoded;
  const breakdown = await usage.breakdown(decoded);
  return { object: 'usage_summary', start: rfc3339(from), end: rfc3339(to), group_by: namesOf(grouping), as_of: null, ...encodeBreakdown(breakdown, grouping) };
}

type AllAccountsQuery = QueryOf<typeof contract.allUsageSummary>;
type AllAccountsReply = ReplyOf<typeof contract.allUsageSummary>;

interface AllSummaryPorts extends SummaryPorts {
  readonly allUsage: AllAccountsUsage;
}

function allAccountsGroupingOf({ group_by: text = 'day', model, key_id: keyId }: AllAccountsQuery): BreakdownGrouping<TotalsDimension> {
  const grouping = parseBreakdownGrouping(text, TOTALS_DIMENSIONS);
  if (grouping === null) {
    throw invalidParameter('group_by', 'day, week or month, or model or account, or a period with model or account as in week,account; key and user require account');
  }
  if (keyId !== undefined) throw invalidParameter('key_id', 'given with account');
  if (model !== undefined && grouping.group === 'account') throw invalidParameter('model', 'left out when grouping by account: totals are kept by model or by account');
  return grouping;
}

function decodeAllAccountsQuery(query: AllAccountsQuery, now: Instant): TotalsQuery {
  const { start, end, top, model } = query;
  const days = decodeSummaryDays(QueryParameters.from({ start, end }), now);
  const grouping = allAccountsGroupingOf(query);
  return { ...days, grouping, top: boundedTop(grouping, days, top), model: (model ?? null) as ModelSlug | null };
}

/** Sums from the last aggregation of all accounts, or from one account's daily roll-ups. */
export async function summariseAll({ account, ...query }: AllAccountsQuery, ports: AllSummaryPorts): Promise<AllAccountsReply> {
  if (account !== undefined) return summariseAccount(query, account as AccountId, ports);
  const decoded = decodeAllAccountsQuery(query, ports.clock.now());
  const { from, to, grouping } = decoded;
  const { asOf, ...breakdown } = await ports.allUsage.breakdown(decoded);
  return {
    object: 'usage_summary', start: rfc3339(from), end: rfc3339(to), group_by: namesOf(grouping), as_of: rfc3339(asOf), ...encodeBreakdown(breakdown, grouping),
  };
}

function scopeOf({ account }: { readonly account?: string | undefined }): UsageScope {
  return account === undefined ? ALL_ACCOUNTS : account as AccountId;
}
