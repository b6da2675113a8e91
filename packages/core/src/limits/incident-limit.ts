import type { ModelSlug, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

export function hasExpired({ expiresAt }: IncidentLimit, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * A temporary limit of one model, set by an operator, in addition to the plans; it expires at `expiresAt`. Each account's
 * generations by this model are counted separately. `null` means no limit.
 */
export interface IncidentLimit {
  readonly model: ModelSlug;
  /** Identifies the counters together with the model: a limit that is set again starts from zero. */
  readonly setAt: Instant;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: TokenCount | null;
  readonly concurrentRequests: number | null;
  readonly expiresAt: Instant | null;
}

export interface RecordedIncidentLimit extends IncidentLimit {
  /** The actor's id; `null` if it was not recorded. */
  readonly setBy: string | null;
}

/** Returns why the limit is invalid, or `null` if it is valid. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}
