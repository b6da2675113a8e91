import {
  PAGE_SIZES, type Account, type ApiKeyId, type CatalogueSource, type Clock, GatewayError, hasExpired, type IncidentLimit, invariant, type KeyRepository,
  type Ledger, mayUse, type ModelAccess, type PlatformState, type RateLimiter, type UsageReader,
} from '@tollgate/core';
import { type AccountState, encodeAccount, encodeApiKey } from '@tollgate/wire-kit';
import { type Endpoint, type HttpMethod, plainEndpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { sendJson } from '../http/reply/send-json.js';
import { invalidParameter, QueryParameters } from '../http/query-parameters.js';

export interface AccountStatePorts {
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly usage: UsageReader;
  readonly keys: KeyRepository;
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly clock: Clock;
}

interface AccountView extends ModelAccess {
  readonly account: Account;
}

/** Current balance, limits and use. */
export async function readAccountState(view: AccountView, ports: AccountStatePorts): Promise<AccountState> {
  const { account, plan } = view;
  const now = ports.clock.now();
  const [balance, quota, used, activeKeys] = await Promise.all([
    ports.ledger.balanceOf(account.id),
    ports.limiter.quota(account.id, { limits: plan.limits, incident: null }),
    ports.usage.tokensUsed(account.id, now),
    ports.keys.countActive(account.id, now),
  ]);
  invariant(balance !== null, 'an account that was just authenticated has a balance');
  return { account, plan, balance, quota, incidentLimits: incidentLimitsFor(view, ports), used, usdPerServiceToken: ports.catalogue.current().usdPerServiceToken, activeKeys };
}

/** Of models that the caller may use. */
function incidentLimitsFor(access: ModelAccess, { platform, catalogue, clock }: AccountStatePorts): readonly IncidentLimit[] {
  const now = clock.now();
  const models = catalogue.current();
  return [...platform.current().incidentLimits.values()].filter((limit) => {
    const model = models.model(limit.model);
    return model !== null && mayUse(model, access) && !hasExpired(limit, now);
  });
}

/** `GET /v1/account`. */
export function accountEndpoint(ports: AccountStatePorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await readAccountState(caller, ports)));
  });
}

/** 403 for API keys. */
const SESSION_ROUTES: readonly (readonly [HttpMethod, string])[] = [
  ['post', '/v1/api-keys'],
  ['patch', '/v1/api-keys/:id'],
  ['delete', '/v1/api-keys/:id'],
  ['post', '/v1/api-keys/:id/rotate'],
  ['post', '/v1/api-keys/:id/revoke'],
];

function sessionEndpoint([method, path]: readonly [HttpMethod, string]): Endpoint {
  return plainEndpoint(method, path, () => {
    throw new GatewayError('session_required', 'API keys are created, rotated and revoked from a signed-in dashboard session only.');
  });
}

/** `GET /v1/api-keys`, and the refusal of changes. */
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
