import type { UsagePage, UsageReader, UsageScope } from '@tollgate/core';
import { encodeAccountUsageRecord, encodeUsagePage } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { invalidParameter, QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';
import { decodeUsageFilters, decodeUsagePage } from './decode-usage-filters.js';

/** One page of usage records, as the query narrows and pages them. */
export async function readUsagePage(usage: UsageReader, scope: UsageScope, query: QueryParameters): Promise<UsagePage> {
  const page = await usage.list({ accountId: scope, ...decodeUsageFilters(query), ...decodeUsagePage(query) });
  if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page with the same filters');
  return page;
}

/** `GET /v1/usage`: the account's usage records, newest first, in pages. */
export function listUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage', async (exchange, { account }) => {
    sendJson(exchange, 200, encodeUsagePage(await readUsagePage(usage, account.id, QueryParameters.of(exchange)), encodeAccountUsageRecord));
  });
}
