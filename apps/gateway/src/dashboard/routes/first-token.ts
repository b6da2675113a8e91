import { type AccountId, ALL_ACCOUNTS, type ApiKeyId, firstTokenSummary, type ModelSlug, type UsageScope } from '@tollgate/core';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import { encodeFirstTokens } from '@tollgate/wire-kit';
import { QueryParameters } from '../../http/query-parameters.js';
import { decodeSummaryDays, type SummaryPorts } from '../../routes/usage-query.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';

export function firstTokenEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.firstTokenSummary)(({ visitor: { account }, query }) => summariseFirstTokens(query, account.id, ports)),
    endpoint(contract.allFirstTokenSummary)(({ query: { account, ...query } }) => summariseFirstTokens(query, account === undefined ? ALL_ACCOUNTS : account as AccountId, ports)),
  ];
}

export async function summariseFirstTokens(query: QueryOf<typeof contract.firstTokenSummary>, accountId: UsageScope, { usage, clock }: SummaryPorts): Promise<ReplyOf<typeof contract.firstTokenSummary>> {
  const { start, end, by: unit, model, key_id: keyId } = query;
  const asked = { ...decodeSummaryDays(QueryParameters.from({ start, end }), clock.now()), unit };
  return encodeFirstTokens(asked, await firstTokenSummary(usage, { ...asked, accountId, model: (model ?? null) as ModelSlug | null, keyId: (keyId ?? null) as ApiKeyId | null }));
}
