import { GatewayError } from '../errors/gateway-error.js';
import type { PlatformState } from '../ports/platform-state.js';
import type { Instant } from '../time/instant.js';
import { maintenanceRefusal, maintenanceStateAt } from './maintenance.js';

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
