import { type AccountId, ALL_ACCOUNTS, type ApiKeyId, type Clock, firstTokenSummary, type ModelSlug, rfc3339, type UsageReader, type UsageScope } from '@tollgate/core';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import { QueryParameters } from '../../http/query-parameters.js';
import { decodeSummaryDays } from '../../routes/usage-query.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';

interface SummaryPorts {
  readonly usage: UsageReader;
  readonly clock: Clock;
}

/** Of the owner's account, and for operators of all accounts or of one. */
export function firstTokenEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.firstTokenSummary)(({ visitor: { account }, query }) => summarise(query, account.id, ports)),
    endpoint(contract.allFirstTokenSummary)(({ query: { account, ...query } }) => summarise(query, account === undefined ? ALL_ACCOUNTS : account as AccountId, ports)),
  ];
}

async function summarise(query: QueryOf<typeof contract.firstTokenSummary>, accountId: UsageScope, { usage, clock }: SummaryPorts): Promise<ReplyOf<typeof contract.firstTokenSummary>> {
  const { start, end, by, model, key_id: keyId } = query;
  const days = decodeSummaryDays(QueryParameters.from({ start, end }), clock.now());
  const { total, periods, models, isSampled } = await firstTokenSummary(usage, {
    accountId, ...days, unit: by, model: (model ?? null) as ModelSlug | null, keyId: (keyId ?? null) as ApiKeyId | null,
  });
  return {
    object: 'first_token_summary', start: rfc3339(days.from), end: rfc3339(days.to), by, is_sampled: isSampled,
    total, data: periods, models,
  };
}
