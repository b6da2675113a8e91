import type { TokenCount } from '../ids.js';

/** What the rate-limit headers say; true at the instant it was taken. */
export interface QuotaSnapshot {
  readonly requestsLimit: number;
  readonly requestsRemaining: number;
  readonly tokensLimit: TokenCount;
  readonly tokensRemaining: TokenCount;
  /** Whole seconds until the window starts anew, at least 0. */
  readonly requestsResetSeconds: number;
}
