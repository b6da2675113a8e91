import type { contract, QueryOf, ReplyOf } from '@tollgate/dashboard-contract';
import {
  type AccountId, type AllAccountsUsage, type BreakdownGrouping, type Instant, type ModelSlug, parseBreakdownGrouping, rfc3339, TOTALS_DIMENSIONS, type TotalsDimension,
  type TotalsQuery,
} from '@tollgate/core';
import { invalidParameter, QueryParameters } from '../../../http/query/query-parameters.js';
import { decodeSummaryDays } from '../../../routes/usage/summary-period.js';
import { boundedTop, encodeBreakdown, namesOf, summariseAccount, type SummaryPorts } from './summarise-usage.js';

type SummaryQuery = QueryOf<typeof contract.allUsageSummary>;
type SummaryReply = ReplyOf<typeof contract.allUsageSummary>;

export interface AllSummaryPorts extends SummaryPorts {
  readonly allUsage: AllAccountsUsage;
}

function groupingOf({ group_by: text = 'day', model, key_id: keyId }: SummaryQuery): BreakdownGrouping<TotalsDimension> {
  const grouping = parseBreakdownGrouping(text, TOTALS_DIMENSIONS);
  if (grouping === null) {
    throw invalidParameter('group_by', 'day, week or month, or model or account, or a period with model or account as in week,account; key and user go with account alone');
  }
  if (keyId !== undefined) throw invalidParameter('key_id', 'given with account');
  if (model !== undefined && grouping.group === 'account') throw invalidParameter('model', 'left out where accounts are grouped: days are summed up by model or by account');
  return grouping;
}

function decodeQuery(query: SummaryQuery, now: Instant): TotalsQuery {
  const { start, end, top, model } = query;
  const days = decodeSummaryDays(QueryParameters.from({ start, end }), now);
  const grouping = groupingOf(query);
  return { ...days, grouping, top: boundedTop(grouping, days, top), model: (model ?? null) as ModelSlug | null };
}

/** Totals of the requests of all accounts as they were last summed up, or of one account from its own daily roll-ups. */
export async function summariseAll({ account, ...query }: SummaryQuery, ports: AllSummaryPorts): Promise<SummaryReply> {
  if (account !== undefined) return summariseAccount(query, account as AccountId, ports);
  const decoded = decodeQuery(query, ports.clock.now());
  const { from, to, grouping } = decoded;
  const { asOf, ...breakdown } = await ports.allUsage.breakdown(decoded);
  return {
    object: 'usage_summary', start: rfc3339(from), end: rfc3339(to), group_by: namesOf(grouping), as_of: rfc3339(asOf), ...encodeBreakdown(breakdown, grouping),
  };
}
