import { type ModelSlug, type Plan, type PlanId, STANDARD_PLANS, type TokenCount, invariant } from '@tollgate/core';
import type { PlanEntry } from './catalogue-schema.js';

/** The standard plans with what the catalogue changes in them, then the catalogue's own. */
export function decodePlans(entries: Readonly<Record<string, PlanEntry>>): readonly Plan[] {
  const standard = STANDARD_PLANS.map((plan) => {
    const entry = entries[plan.id];
    return entry === undefined ? plan : changed(plan, entry);
  });
  const known = new Set<string>(STANDARD_PLANS.map(({ id }) => id));
  const own = Object.entries(entries).filter(([id]) => !known.has(id)).map(([id, entry]) => decodePlan(id, entry));
  return [...standard, ...own];
}

function changed(plan: Plan, entry: PlanEntry): Plan {
  const { limits } = plan;
  return {
    id: plan.id,
    name: entry.name ?? plan.name,
    limits: {
      requestsPerMinute: entry.requests_per_minute ?? limits.requestsPerMinute,
      tokensPerMinute: entry.tokens_per_minute ?? limits.tokensPerMinute,
      concurrentRequests: entry.concurrent_requests ?? limits.concurrentRequests,
      maxContextTokens: entry.max_context_tokens ?? limits.maxContextTokens,
      activeKeys: entry.active_keys ?? limits.activeKeys,
      tokensPerDay: entry.tokens_per_day === undefined ? limits.tokensPerDay : entry.tokens_per_day,
      tokensPerMonth: entry.tokens_per_month === undefined ? limits.tokensPerMonth : entry.tokens_per_month,
    },
    excludedModels: entry.excluded_models === undefined ? plan.excludedModels : new Set(entry.excluded_models as ModelSlug[]),
  };
}

/** A plan of the catalogue's own starts from nothing; the check has seen to it that every limit is stated. */
function decodePlan(id: string, entry: PlanEntry): Plan {
  invariant(entry.name !== undefined && entry.requests_per_minute !== undefined, 'a plan that is not standard states all its limits');
  const nothing = 0 as TokenCount;
  const blank: Plan = {
    id: id as PlanId,
    name: entry.name,
    limits: {
      requestsPerMinute: 0, tokensPerMinute: nothing, concurrentRequests: 0, maxContextTokens: nothing, activeKeys: 0,
      tokensPerDay: null, tokensPerMonth: null,
    },
    excludedModels: new Set(),
  };
  return changed(blank, entry);
}
