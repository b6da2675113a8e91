import {
  apiKeyState, type Caller, type CatalogueSource, type Clock, invariant, type KeyRepository, type Ledger, type RateLimiter, type UsageReader,
} from '@tollgate/core';
import { type Endpoint, readEndpoint } from '../../http/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';
import { type AccountState, encodeAccount } from './encode-account.js';

export interface AccountEndpointPorts {
  readonly ledger: Ledger;
  readonly limiter: RateLimiter;
  readonly usage: UsageReader;
  readonly keys: KeyRepository;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

async function accountState({ account, plan }: Caller, ports: AccountEndpointPorts): Promise<AccountState> {
  const now = ports.clock.now();
  const [balance, quota, used, keys] = await Promise.all([
    ports.ledger.balanceOf(account.id),
    ports.limiter.quota(account.id, plan.limits),
    ports.usage.tokensUsed(account.id, now),
    ports.keys.listByAccount(account.id),
  ]);
  invariant(balance !== null, 'an account that was just authenticated has a balance');
  return {
    account,
    plan,
    balance,
    quota,
    used,
    usdPerServiceToken: ports.catalogue.current().usdPerServiceToken,
    activeKeys: keys.filter((key) => apiKeyState(key, now) === 'active').length,
  };
}

/** `GET /v1/account`: standing, plan, balance, the limits in force and what is used of them. */
export function accountEndpoint(ports: AccountEndpointPorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await accountState(caller, ports)));
  });
}
