import {
  type Account, type CatalogueSource, type Clock, hasExpired, type IncidentLimit, invariant, type KeyRepository, type Ledger, mayUse, type ModelAccess,
  type PlatformState, type RateLimiter, type UsageReader,
} from '@tollgate/core';
import type { AccountState } from '@tollgate/wire-kit';

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

/** Balance, limits and use of an account at present. */
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

/** Active incident limits of models that the caller may use. */
function incidentLimitsFor(access: ModelAccess, { platform, catalogue, clock }: AccountStatePorts): readonly IncidentLimit[] {
  const now = clock.now();
  const models = catalogue.current();
  return [...platform.current().incidentLimits.values()].filter((limit) => {
    const model = models.model(limit.model);
    return model !== null && mayUse(model, access) && !hasExpired(limit, now);
  });
}
