import { GatewayError } from '../errors/gateway-error.js';
import { hasExpired, type IncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import { maintenanceRefusal, maintenanceStateAt, type RecordedMaintenance } from './maintenance.js';

/** Some settings depend on the time: see `maintenanceStateAt` and `incidentInForce`. */
export interface PlatformSnapshot {
  /** Possibly future or over; `null` for none. */
  readonly maintenance: RecordedMaintenance | null;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** `null` if no block expires. */
  readonly nextBlockEndsAt: Instant | null;
  /** Accepts IPv4, IPv6 and IPv4-mapped addresses. An unreadable address counts as blocked if any network is blocked. */
  readonly isNetworkBlocked: (address: string, now: Instant) => boolean;
}

/** Throws the refusals that need no key: maintenance, then a blocked network. */
export function checkPlatform(platform: PlatformState, clientAddress: string, now: Instant): void {
  const { maintenance } = platform.current();
  if (maintenance !== null && maintenanceStateAt(maintenance, now) === 'on') throw maintenanceRefusal(maintenance, now);
  checkNetwork(platform, clientAddress, now);
}

/** Throws `ip_blocked` if the network of the address is blocked. */
export function checkNetwork(platform: PlatformState, clientAddress: string, now: Instant): void {
  if (platform.current().isNetworkBlocked(clientAddress, now)) {
    throw new GatewayError('ip_blocked', 'Requests from this network are not accepted.');
  }
}

/** `null` if the model has no incident limit, or an expired one. */
export function incidentInForce({ incidentLimits }: Pick<PlatformSnapshot, 'incidentLimits'>, model: ModelSlug, now: Instant): IncidentLimit | null {
  const incident = incidentLimits.get(model) ?? null;
  return incident === null || hasExpired(incident, now) ? null : incident;
}

/** Held in memory, because every request reads it. */
export interface PlatformState {
  current(): PlatformSnapshot;
}
