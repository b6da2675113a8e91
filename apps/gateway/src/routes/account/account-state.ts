import {
  type Account, type CatalogueSource, type Clock, hasExpired, type IncidentLimit, invariant, type KeyRepository, type Ledger, type ModelAccess, mayUse,
  type PlatformState, type RateLimiter, type UsageReader,
} from '@tollgate/core';
import type { AccountState } from './encode-account.js';

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
export interface AccountView extends ModelAccess {
  readonly account: Account;
}

/** What there is to tell about an account that exists: its balance, limits and what is used of them, as of now. */
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
