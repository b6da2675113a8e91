import {
  type Account, type ApiKey, type ApiKeyId, apiKeyState, availableOf, type Balance, type CatalogueSource, type Clock, GatewayError,
  hasExpired, type IncidentLimit, type Instant, invariant, type KeyRepository, type Ledger, mayUse, type ModelAccess, type Plan,
  type PlatformState, type QuotaSnapshot, type RateLimiter, rfc3339, type ServiceTokens, type TokenRate, type TokensUsed, type UsageReader,
  UsdAmount,
} from '@tollgate/core';
import { encodeIncidentLimit, encodePlanLimits, timeOrNull } from '@tollgate/wire-kit';
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

/** Whose account is read, and the models that they may use. */
interface AccountView extends ModelAccess {
  readonly account: Account;
}

/** Reads the balance of an account, its limits and what is used of them, as of now. */
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

/** The incident limits in force of the models that the caller may use. */
function incidentLimitsFor(access: ModelAccess, { platform, catalogue, clock }: AccountStatePorts): readonly IncidentLimit[] {
  const now = clock.now();
  const models = catalogue.current();
  return [...platform.current().incidentLimits.values()].filter((limit) => {
    const model = models.model(limit.model);
    return model !== null && mayUse(model, access) && !hasExpired(limit, now);
  });
}

/** The state of an account at one moment. */
interface AccountState {
  readonly account: Account;
  readonly plan: Plan;
  readonly balance: Balance;
  readonly usdPerServiceToken: TokenRate;
  readonly quota: QuotaSnapshot;
  readonly incidentLimits: readonly IncidentLimit[];
  readonly used: TokensUsed;
  readonly activeKeys: number;
}

/** An amount in both currencies, at the catalogue's rate. */
export function encodeAmount(amount: ServiceTokens, usdPerServiceToken: TokenRate) {
  return { svc_tokens: amount.toString(), usd: UsdAmount.worthOf(amount, usdPerServiceToken).toString() };
}

function encodeBalance({ balance, usdPerServiceToken }: AccountState) {
  return {
    available: encodeAmount(availableOf(balance), usdPerServiceToken),
    reserved: encodeAmount(balance.reserved, usdPerServiceToken),
    total: encodeAmount(balance.posted, usdPerServiceToken),
    usd_per_service_token: usdPerServiceToken,
  };
}

function encodeUsed({ quota, used, activeKeys }: AccountState) {
  return {
    requests_this_minute: quota.requestsLimit - quota.requestsRemaining,
    tokens_this_minute: quota.tokensLimit - quota.tokensRemaining,
    minute_resets_in_seconds: quota.requestsResetSeconds,
    tokens_today: used.day,
    tokens_this_month: used.month,
    api_keys: activeKeys,
  };
}

/** The account as its own keys and its owner may see it. */
export function encodeAccount(state: AccountState) {
  const { account, plan } = state;
  return {
    id: account.id,
    object: 'account' as const,
    name: account.name,
    status: account.status,
    created_at: rfc3339(account.createdAt),
    plan: { id: plan.id, name: plan.name },
    balance: encodeBalance(state),
    limits: { ...encodePlanLimits(plan.limits), models: state.incidentLimits.map(encodeIncidentLimit) },
    used: encodeUsed(state),
  };
}

/** `GET /v1/account`: standing, plan, balance, the limits in force and what is used of them. */
export function accountEndpoint(ports: AccountStatePorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await readAccountState(caller, ports)));
  });
}

/** A key as a listing shows it: enough to recognise it, nothing to use it with. */
export function encodeApiKey(key: ApiKey, now: Instant) {
  return {
    id: key.id,
    object: 'api_key' as const,
    name: key.name,
    hint: key.hint,
    status: apiKeyState(key, now),
    created_at: rfc3339(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    last_used_at: timeOrNull(key.lastUsedAt),
    revoked_at: timeOrNull(key.revokedAt),
  };
}

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
