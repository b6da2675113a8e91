import { GatewayError } from '../errors/gateway-error.js';
import { hasExpired, type IncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { maintenanceRefusal, maintenanceStateAt, type RecordedMaintenance } from './maintenance.js';

/** Settings of operators. Some depend on the time: see `maintenanceStateAt` and `incidentInForce`. */
export interface PlatformSnapshot {
  /** May be in the future or over; `null` if none is set. */
  readonly maintenance: RecordedMaintenance | null;
  readonly incidentLimits: ReadonlyMap<ModelSlug, IncidentLimit>;
  /** The earliest expiry of a block; `null` if none expires. */
  readonly nextBlockEndsAt: Instant | null;
  /** Accepts IPv4, IPv6 and IPv4-mapped addresses. If any network is blocked, an unreadable address counts as blocked. */
  readonly isNetworkBlocked: (address: string, now: Instant) => boolean;
}

/** Throws the refusals that need no key: maintenance, then a blocked network. */
export function checkPlatform(platform: PlatformState, clientAddress: string, now: Instant): void {
  const { maintenance } = platform.current();
  if (maintenance !== null && maintenanceStateAt(maintenance, now) === 'on') throw maintenanceRefusal(maintenance, now);
  checkNetwork(platform, clientAddress, now);
}

/** Throws if the address is blocked. */
export function checkNetwork(platform: PlatformState, clientAddress: string, now: Instant): void {
  if (platform.current().isNetworkBlocked(clientAddress, now)) {
    throw new GatewayError('ip_blocked', 'Requests from this network are not accepted.');
  }
}

/** `null` if the model has none or it has expired. */
export function incidentInForce({ incidentLimits }: Pick<PlatformSnapshot, 'incidentLimits'>, model: ModelSlug, now: Instant): IncidentLimit | null {
  const incident = incidentLimits.get(model) ?? null;
  return incident === null || hasExpired(incident, now) ? null : incident;
}

/** Cached in memory, so that each request can read it. */
export interface PlatformState {
  current(): PlatformSnapshot;
}
