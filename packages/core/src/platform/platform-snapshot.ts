import type { ModelSlug, TokenCount } from '../ids.js';
import type { Instant } from '../time/instant.js';

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

/** What operators have switched, as of now. */
export interface PlatformSnapshot {
  readonly maintenance: boolean;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** Takes IPv4, IPv6 and IPv4-mapped forms alike. While any network is blocked, an address that cannot be read counts as blocked. */
  isNetworkBlocked(address: string): boolean;
}
