import type { ModelSlug, TokenCount } from '../ids.js';
import type { Instant } from '../time/instant.js';
import { maintenanceRefusal, maintenanceStateAt, type RecordedMaintenance } from './maintenance.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { PlatformState } from '../ports/operator-controls.js';

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

/** The two refusals that need no key: maintenance, then a blocked network. */
export function checkPlatform(platform: PlatformState, clientAddress: string, now: Instant): void {
  const { maintenance } = platform.current();
  if (maintenance !== null && maintenanceStateAt(maintenance, now) === 'on') throw maintenanceRefusal(maintenance, now);
  checkNetwork(platform, clientAddress, now);
}

/** The refusal of a blocked network alone. */
export function checkNetwork(platform: PlatformState, clientAddress: string, now: Instant): void {
  if (platform.current().isNetworkBlocked(clientAddress, now)) {
    throw new GatewayError('ip_blocked', 'Requests from this network are not accepted.');
  }
}

/** Why an incident limit cannot be set so; `null` when it can. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}
