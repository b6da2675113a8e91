import { type Account, type ApiKeyId, type ModelSlug, type UsageQuery, type UsageReader } from '@tollgate/core';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { periodParameter } from '../../http/query/instant-parameter.js';
import { invalidParameter, QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';
import { encodeAccountUsageRecord } from './encode-account-usage-record.js';

const PAGE = { least: 1, most: 100, fallback: 20 };

function decodeUsageQuery(query: QueryParameters, { id }: Account): UsageQuery {
  return {
    accountId: id,
    ...periodParameter(query),
    model: query.text('model') as ModelSlug | null,
    keyId: query.text('key_id') as ApiKeyId | null,
    attribution: query.text('user'),
    limit: query.wholeNumber('limit', PAGE),
    cursor: query.text('cursor'),
  };
}

/** `GET /v1/usage`: the account's usage records, newest first, in pages. */
export function listUsageEndpoint(usage: UsageReader): Endpoint {
  return readEndpoint('/v1/usage', async (exchange, { account }) => {
    const page = await usage.list(decodeUsageQuery(QueryParameters.of(exchange), account));
    if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page with the same filters');
    sendJson(exchange, 200, {
      object: 'list',
      data: page.records.map(encodeAccountUsageRecord),
      has_more: page.nextCursor !== null,
      next_cursor: page.nextCursor,
    });
  });
}
