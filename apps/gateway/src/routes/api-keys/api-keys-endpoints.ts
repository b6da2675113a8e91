import { type ApiKeyId, type Clock, GatewayError, type KeyRepository } from '@tollgate/core';
import { type Endpoint, type HttpMethod, plainEndpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { invalidParameter, QueryParameters } from '../../http/query/query-parameters.js';
import { sendJson } from '../../http/reply/send-json.js';
import { encodeApiKey } from './encode-api-key.js';

/** The routes a signed-in owner manages keys by; a key may not even try. */
const SESSION_ROUTES: readonly (readonly [HttpMethod, string])[] = [
  ['post', '/v1/api-keys'],
  ['patch', '/v1/api-keys/:id'],
  ['delete', '/v1/api-keys/:id'],
  ['post', '/v1/api-keys/:id/rotate'],
  ['post', '/v1/api-keys/:id/revoke'],
];

/** An account has few keys, and any number of revoked ones. */
const PAGE = { least: 1, most: 1000, fallback: 1000 };

function sessionEndpoint([method, path]: readonly [HttpMethod, string]): Endpoint {
  return plainEndpoint(method, path, () => {
    throw new GatewayError('session_required', 'API keys are created, rotated and revoked from a signed-in dashboard session only.');
  });
}

/** `GET /v1/api-keys`, and the refusal of everything that would change a key. */
export function apiKeysEndpoints(keys: KeyRepository, clock: Clock): readonly Endpoint[] {
  const list = readEndpoint('/v1/api-keys', async (exchange, { account }) => {
    const now = clock.now();
    const query = QueryParameters.of(exchange);
    const page = await keys.page(account.id, { limit: query.wholeNumber('limit', PAGE), after: query.text('cursor') as ApiKeyId | null });
    if (page === null) throw invalidParameter('cursor', 'the next_cursor of an earlier page');
    const data = page.keys.map((key) => encodeApiKey(key, now));
    sendJson(exchange, 200, { object: 'list', data, has_more: page.next !== null, ...(page.next === null ? {} : { next_cursor: page.next }) });
  });
  return [list, ...SESSION_ROUTES.map(sessionEndpoint)];
}
