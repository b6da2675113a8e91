import type { PlatformSnapshot } from '../platform/platform-snapshot.js';

/** What operators have switched, kept in memory by the adapter so that asking costs nothing. */
export interface PlatformState {
  current(): PlatformSnapshot;
}
