import type { ModelSlug, PlanId, TokenCount } from '../ids.js';

/** Limits of an account, across all its keys. */
export interface PlanLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: TokenCount;
  readonly concurrentRequests: number;
  /** Caps the prompt size, whatever the model's window. */
  readonly maxContextTokens: TokenCount;
  readonly activeKeys: number;
  /** `null`: no cap. */
  readonly tokensPerDay: TokenCount | null;
  readonly tokensPerMonth: TokenCount | null;
}

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly limits: PlanLimits;
  readonly excludedModels: ReadonlySet<ModelSlug>;
}
