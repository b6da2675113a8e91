import type { FaultWorld, FaultWorldOptions } from './fault-world.js';

/** What a round needs besides what it starts itself. */
export type RoundOptions = Pick<FaultWorldOptions, 'root' | 'folder' | 'surroundings' | 'progress'>;

/** What a round saw besides what customers paid. */
export interface FaultSight {
  readonly world: FaultWorld;
  readonly violations: readonly string[];
  readonly notes: readonly string[];
  /** Requests sent before this instant may have been lost with the database; absent where nothing may be lost. */
  readonly lostUntil?: number;
}

/** The caller compares and closes the world; `ended` is called afterwards. */
export interface FaultRound {
  readonly sight: FaultSight;
  readonly ended: () => Promise<void>;
}
