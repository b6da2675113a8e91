import type { UsageBucket } from '../ports/usage-reader.js';
import { type GroupSums } from './usage-groups.js';

/** A group as the totals of a list show it. */
export function bucketOf({ group, sums: { chargedUsd, ...sums } }: GroupSums): UsageBucket {
  return { group, ...sums, chargedUsd: chargedUsd.toString() };
}
