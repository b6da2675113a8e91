import type { UsageReader } from '@tollgate/core';
import { encodeAccountUsageRecord, encodeUsagePage } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { invalidParameter, QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';
import { decodeUsageFilters, decodeUsagePage } from './decode-usage-filters.js';

/** `GET /v1/usage`: the account's usage records, newest first, in pages. */
export function listUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage', async (exchange, { account }) => {
    const query = QueryParameters.of(exchange);
    const page = await usage.list({ accountId: account.id, ...decodeUsageFilters(query), ...decodeUsagePage(query) });
    if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page with the same filters');
    sendJson(exchange, 200, encodeUsagePage(page, encodeAccountUsageRecord));
  });
}
