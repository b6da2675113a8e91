import { type ApiKeyId, type Clock, GatewayError, type KeyRepository, PAGE_SIZES } from '@tollgate/core';
import { encodeApiKey } from '@tollgate/wire-kit';
import { type Endpoint, type HttpMethod, plainEndpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { invalidParameter, QueryParameters } from '../http/query-parameters.js';
import { sendJson } from '../http/reply/send-json.js';

/** Routes that answer 403 to API keys. */
const SESSION_ROUTES: readonly (readonly [HttpMethod, string])[] = [
  ['post', '/v1/api-keys'],
  ['patch', '/v1/api-keys/:id'],
  ['delete', '/v1/api-keys/:id'],
  ['post', '/v1/api-keys/:id/rotate'],
  ['post', '/v1/api-keys/:id/revoke'],
];

function sessionEndpoint([method, path]: readonly [HttpMethod, string]): Endpoint {
  return plainEndpoint(method, path, () => {
    throw new GatewayError('session_required', 'An API key cannot create, change, rotate or revoke keys. Use a signed-in session of the dashboard.');
  });
}

/** `GET /v1/api-keys`, and the routes that refuse changes. */
export function apiKeysEndpoints(keys: KeyRepository, clock: Clock): readonly Endpoint[] {
  const list = readEndpoint('/v1/api-keys', async (exchange, { account }) => {
    const now = clock.now();
    const query = QueryParameters.of(exchange);
    const page = await keys.page(account.id, { limit: query.pageSize('limit', PAGE_SIZES.keys.api), after: query.text('cursor') as ApiKeyId | null });
    if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page');
    const data = page.keys.map((key) => encodeApiKey(key, now));
    sendJson(exchange, 200, { object: 'list', data, has_more: page.next !== null, ...(page.next === null ? {} : { next_cursor: page.next }) });
  });
  return [list, ...SESSION_ROUTES.map(sessionEndpoint)];
}
