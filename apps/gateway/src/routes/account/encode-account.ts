import {
  type Account, availableOf, type Balance, type IncidentLimit, type QuotaSnapshot, rfc3339, type ServiceTokens,
  type TokenRate, type TokensUsed, UsdAmount, type Plan,
} from '@tollgate/core';
import { encodeIncidentLimit, encodePlanLimits } from '@tollgate/wire-kit';

/** What there is to tell about an account at one moment. */
export interface AccountState {
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
