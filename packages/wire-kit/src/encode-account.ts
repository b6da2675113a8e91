import {
  type Account, availableOf, type Balance, type IncidentLimit, type Plan, type PlanLimits, type QuotaSnapshot, rfc3339, standingOf, type TokenRate,
  type TokensUsed,
} from '@tollgate/core';
import { encodeAmount } from './encode-amount.js';
import { encodeIncidentLimit } from './encode-platform.js';
import { timeOrNull } from './encode-time.js';

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

export function encodeBalance(balance: Balance, usdPerServiceToken: TokenRate) {
  return {
    available: encodeAmount(availableOf(balance), usdPerServiceToken),
    reserved: encodeAmount(balance.reserved, usdPerServiceToken),
    total: encodeAmount(balance.posted, usdPerServiceToken),
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

/** The account as its keys and its owner see it. */
export function encodeAccount(state: AccountState) {
  const { account, plan, balance, usdPerServiceToken } = state;
  return {
    id: account.id,
    object: 'account' as const,
    name: account.name,
    status: account.status,
    created_at: rfc3339(account.createdAt),
    plan: { id: plan.id, name: plan.name },
    balance: { ...encodeBalance(balance, usdPerServiceToken), usd_per_service_token: usdPerServiceToken },
    limits: { ...encodePlanLimits(plan.limits), models: state.incidentLimits.map(encodeIncidentLimit) },
    used: encodeUsed(state),
  };
}

/** The account as operators see it. `plan` is the assigned one, which the catalogue may no longer contain. */
export function encodeOperatorAccount(account: Account, balance: Balance, usdPerServiceToken: TokenRate) {
  return {
    id: account.id,
    object: 'account' as const,
    email: account.email,
    name: account.name,
    plan: account.planId,
    price_list: account.priceList,
    status: account.status,
    standing: standingOf(account),
    email_verified: account.emailVerified,
    blocked: account.blocked,
    deletion_due_at: timeOrNull(account.deletion?.dueAt ?? null),
    created_at: rfc3339(account.createdAt),
    external_id: account.externalId,
    metadata: account.metadata,
    balance: encodeBalance(balance, usdPerServiceToken),
  };
}

export function encodePlan({ id, name, limits, excludedModels }: Plan) {
  return { id, object: 'plan' as const, name, limits: encodePlanLimits(limits), excluded_models: [...excludedModels] };
}

/** The limits of a plan; `null` means unlimited. */
export function encodePlanLimits(limits: PlanLimits) {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
    max_context_tokens: limits.maxContextTokens,
    api_keys: limits.activeKeys,
    tokens_per_day: limits.tokensPerDay,
    tokens_per_month: limits.tokensPerMonth,
  };
}
