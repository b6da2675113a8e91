import { isIP } from 'node:net';
import type { IncidentLimit, ModelSlug, PlatformSnapshot, PlatformState } from '@tollgate/core';

/** What operators have switched, as a test switches it. */
export class TestPlatform implements PlatformState {
  maintenance = false;
  readonly blockedAddresses = new Set<string>();
  readonly incidentLimits = new Map<ModelSlug, IncidentLimit>();

  current(): PlatformSnapshot {
    return {
      maintenance: this.maintenance,
      incidentLimits: this.incidentLimits,
      isNetworkBlocked: (address) => this.blockedAddresses.has(address) || (this.blockedAddresses.size > 0 && isIP(address) === 0),
    };
  }
}
