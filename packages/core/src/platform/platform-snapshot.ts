import type { ModelSlug, TokenCount } from '../ids.js';
import type { Instant } from '../time/instant.js';
import type { RecordedMaintenance } from './maintenance.js';

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

/** What operators have set. What it comes to depends on the time: see `maintenanceStateAt` and `incidentInForce`. */
export interface PlatformSnapshot {
  /** `null` when none is set; else it may be yet to come, or over. */
  readonly maintenance: RecordedMaintenance | null;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** When the first of the blocks ends that end by themselves; `null` when none does. */
  readonly nextBlockEndsAt: Instant | null;
  /** Takes IPv4, IPv6 and IPv4-mapped forms alike. While any network is blocked, an address that cannot be read counts as blocked. */
  readonly isNetworkBlocked: (address: string, now: Instant) => boolean;
}
