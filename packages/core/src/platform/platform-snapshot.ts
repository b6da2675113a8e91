import { GatewayError } from '../errors/gateway-error.js';
import { hasExpired, type IncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { maintenanceRefusal, maintenanceStateAt, type RecordedMaintenance } from './maintenance.js';

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

/** The incident limit of a model, until it expires; `null` where there is none. */
export function incidentInForce({ incidentLimits }: Pick<PlatformSnapshot, 'incidentLimits'>, model: ModelSlug, now: Instant): IncidentLimit | null {
  const incident = incidentLimits.get(model) ?? null;
  return incident === null || hasExpired(incident, now) ? null : incident;
}

/** What operators have switched, kept in memory by the adapter so that asking costs nothing. */
export interface PlatformState {
  current(): PlatformSnapshot;
}
