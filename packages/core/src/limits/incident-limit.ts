import type { ModelSlug } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { Instant } from '../primitives/time.js';

export function hasExpired({ expiresAt }: IncidentLimit, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A temporary limit that an operator sets in addition to the plans, for each account's generations with one model. A `null` field sets no limit. */
export interface IncidentLimit {
  readonly model: ModelSlug;
  /** Part of the counters' identity: a limit that is set again starts from zero. */
  readonly setAt: Instant;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: TokenCount | null;
  readonly concurrentRequests: number | null;
  readonly expiresAt: Instant | null;
}

export interface RecordedIncidentLimit extends IncidentLimit {
  /** The actor's id; `null` if not recorded. */
  readonly setBy: string | null;
}

/** `null` if the limit is valid. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}
