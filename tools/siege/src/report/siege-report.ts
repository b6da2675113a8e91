import type { LoadResult } from '../load/load-messages.js';

/** What one attack did. Memory in bytes; `null` where the gateway's process had ended. */
export interface SiegeReport {
  readonly id: string;
  readonly title: string;
  /** What is attacked for comparison. */
  readonly comparedWith: 'refusing' | 'hashing';
  /** The other customer's p99 stays below so many times what it is then. */
  readonly highestRatio: number;
  /** The other customer while the server for comparison is attacked. */
  readonly reference: LoadResult;
  /** The other customer while the gateway is attacked. */
  readonly victim: LoadResult;
  readonly attacker: LoadResult;
  readonly loopDelayMilliseconds: number | null;
  readonly idleBytes: number;
  readonly highestBytes: number | null;
  /** Once it had come back to within 100 MB of idle, or when the time to do so was over. */
  readonly restingBytes: number | null;
  readonly idleDescriptors: number;
  /** In the last seconds of the attack. */
  readonly heldDescriptors: number | null;
  /** Whether the attack is one of connections that are refused, which must not hold descriptors. */
  readonly refusesConnections: boolean;
  readonly restingDescriptors: number | null;
  /** Whether a new connection reached the health check while the attack went on. */
  readonly reachable: boolean;
}
