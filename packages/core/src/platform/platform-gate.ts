import { GatewayError } from '../errors/gateway-error.js';
import type { PlatformState } from '../ports/platform-state.js';

/** The two refusals that need no key: maintenance, then a blocked network. */
export function checkPlatform(platform: PlatformState, clientAddress: string): void {
  const snapshot = platform.current();
  if (snapshot.maintenance) {
    throw new GatewayError('maintenance_mode', 'The service is in maintenance. Please try again later.');
  }
  checkNetwork(platform, clientAddress);
}

/** The refusal of a blocked network alone. */
export function checkNetwork(platform: PlatformState, clientAddress: string): void {
  if (platform.current().isNetworkBlocked(clientAddress)) {
    throw new GatewayError('ip_blocked', 'Requests from this network are not accepted.');
  }
}
