import { isIP } from 'node:net';
import { type IncidentLimit, instant, type ModelSlug, type PlatformSnapshot, type PlatformState, type RecordedMaintenance } from '@tollgate/core';

const UNTIL_ENDED: RecordedMaintenance = { startsAt: instant(0), endsAt: null, message: null, setBy: null, setAt: instant(0) };

/** What operators have switched, as a test switches it. */
export class TestPlatform implements PlatformState {
  maintenance = false;
  readonly blockedAddresses = new Set<string>();
  readonly incidentLimits = new Map<ModelSlug, IncidentLimit>();

  current(): PlatformSnapshot {
    return {
      maintenance: this.maintenance ? UNTIL_ENDED : null,
      nextBlockEndsAt: null,
      incidentLimits: this.incidentLimits,
      isNetworkBlocked: (address) => this.blockedAddresses.has(address) || (this.blockedAddresses.size > 0 && isIP(address) === 0),
    };
  }
}
