import type { ModelSlug, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

export function hasExpired({ expiresAt }: IncidentLimit, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * A limit that an operator sets for one model during a capacity incident; it ends by itself at `expiresAt`.
 * It binds each account beside its plan, and counts the account's requests to this model alone; `null` limits nothing.
 */
export interface IncidentLimit {
  readonly model: ModelSlug;
  /** Together with the model it names the counts: a limit that is set again begins with new ones. */
  readonly setAt: Instant;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: TokenCount | null;
  readonly concurrentRequests: number | null;
  readonly expiresAt: Instant | null;
}

/** An incident limit with the actor who set it. */
export interface RecordedIncidentLimit extends IncidentLimit {
  /** The actor's id; `null` where this was not recorded. */
  readonly setBy: string | null;
}

/** Why an incident limit cannot be set so; `null` when it can. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}
