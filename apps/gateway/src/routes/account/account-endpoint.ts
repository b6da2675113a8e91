import {
  apiKeyState, type Caller, type CatalogueSource, type Clock, hasExpired, type IncidentLimit, invariant, type KeyRepository, type Ledger, type ModelAccess, mayUse,
  type PlatformState, type RateLimiter, type UsageReader,
} from '@tollgate/core';
import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';
import { type AccountState, encodeAccount } from './encode-account.js';

export interface AccountEndpointPorts {
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly usage: UsageReader;
  readonly keys: KeyRepository;
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly clock: Clock;
}

async function accountState(caller: Caller, ports: AccountEndpointPorts): Promise<AccountState> {
  const { account, plan } = caller;
  const now = ports.clock.now();
  const [balance, quota, used, keys] = await Promise.all([
    ports.ledger.balanceOf(account.id),
    ports.limiter.quota(account.id, { limits: plan.limits, incident: null }),
    ports.usage.tokensUsed(account.id, now),
    ports.keys.listByAccount(account.id),
  ]);
  invariant(balance !== null, 'an account that was just authenticated has a balance');
  return {
    account,
    plan,
    balance,
    quota,
    incidentLimits: incidentLimitsFor(caller, ports),
    used,
    usdPerServiceToken: ports.catalogue.current().usdPerServiceToken,
    activeKeys: keys.filter((key) => apiKeyState(key, now) === 'active').length,
  };
}

/** The incident limits in force of the models that the caller may use. */
function incidentLimitsFor(access: ModelAccess, { platform, catalogue, clock }: AccountEndpointPorts): readonly IncidentLimit[] {
  const now = clock.now();
  const models = catalogue.current();
  return [...platform.current().incidentLimits.values()].filter((limit) => {
    const model = models.model(limit.model);
    return model !== null && mayUse(model, access) && !hasExpired(limit, now);
  });
}

/** `GET /v1/account`: standing, plan, balance, the limits in force and what is used of them. */
export function accountEndpoint(ports: AccountEndpointPorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await accountState(caller, ports)));
  });
}
