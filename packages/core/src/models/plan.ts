import type { ModelSlug, PlanId } from '../primitives/ids.js';
import { type TokenCount, tokenCount } from '../primitives/token-count.js';

/** Limits that all keys of an account share. */
export interface PlanLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: TokenCount;
  readonly concurrentRequests: number;
  /** Maximum prompt, whatever the model's window. */
  readonly maxContextTokens: TokenCount;
  readonly activeKeys: number;
  /** `null` for no limit. */
  readonly tokensPerDay: TokenCount | null;
  readonly tokensPerMonth: TokenCount | null;
}

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly limits: PlanLimits;
  readonly excludedModels: ReadonlySet<ModelSlug>;
}

type Row = readonly [
  id: string, name: string, requestsPerMinute: number, tokensPerMinute: number,
  concurrentRequests: number, maxContextTokens: number, activeKeys: number,
];

/** The standard plans, as docs/limits.md lists them. */
const PAY_AS_YOU_GO_ROW: Row = ['pay-as-you-go', 'Pay as you go', 60, 200_000, 4, 128_000, 5];
const ROWS: readonly Row[] = [
  PAY_AS_YOU_GO_ROW,
  ['starter', 'Starter', 60, 300_000, 4, 128_000, 5],
  ['pro', 'Pro', 300, 1_000_000, 10, 256_000, 20],
  ['power', 'Power', 1_000, 4_000_000, 30, 256_000, 50],
  ['business', 'Business', 3_000, 15_000_000, 100, 256_000, 200],
];

function planOf([id, name, requests, tokens, concurrent, context, keys]: Row): Plan {
  return {
    id: id as PlanId,
    name,
    limits: {
      requestsPerMinute: requests,
      tokensPerMinute: tokenCount(tokens),
      concurrentRequests: concurrent,
      maxContextTokens: tokenCount(context),
      activeKeys: keys,
      tokensPerDay: null,
      tokensPerMonth: null,
    },
    excludedModels: new Set(),
  };
}

export const STANDARD_PLANS: readonly Plan[] = ROWS.map(planOf);
export const PAY_AS_YOU_GO = 'pay-as-you-go' as PlanId;
/** Applies if the catalogue has no plan of this id. */
export const PAY_AS_YOU_GO_PLAN: Plan = planOf(PAY_AS_YOU_GO_ROW);
