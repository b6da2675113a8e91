import type { ModelSlug, TokenCount } from '../ids.js';
import type { Instant } from '../time/instant.js';

/** A limit an operator lowered for one model during a capacity incident; ends by itself at `expiresAt`. */
export interface IncidentLimit {
  readonly model: ModelSlug;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: TokenCount | null;
  readonly concurrentRequests: number | null;
  readonly expiresAt: Instant | null;
}

/** What operators have switched, as of now. */
export interface PlatformSnapshot {
  readonly maintenance: boolean;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** Takes IPv4, IPv6 and IPv4-mapped forms alike. */
  isNetworkBlocked(address: string): boolean;
}
