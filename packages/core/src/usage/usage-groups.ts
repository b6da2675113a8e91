import type { UsageSums } from './usage-sums.js';
import { addSums } from './usage-sums.js';

/** Something with sums of its own, in a group or, with `null`, in none. */
export interface GroupSums {
  readonly group: string | null;
  readonly sums: UsageSums;
}

/** Groups by their names; requests of no group come last. */
export function byGroupName(first: string | null, second: string | null): number {
  if (first === second) return 0;
  if (first === null) return 1;
  if (second === null) return -1;
  return first < second ? -1 : 1;
}

/** The rank of groups: the largest charge first, equal ones by name. */
export function byGroupRank(first: GroupSums, second: GroupSums): number {
  const [mine, other] = [first.sums.charged, second.sums.charged];
  if (mine.equals(other)) return byGroupName(first.group, second.group);
  return mine.isLessThan(other) ? 1 : -1;
}

/** One entry for each group, in the order in which they come. A group whose requests have all been taken back is none. */
export function sumsByGroup(parts: readonly GroupSums[]): readonly GroupSums[] {
  const byGroup = new Map<string | null, UsageSums>();
  for (const { group, sums } of parts) {
    const sofar = byGroup.get(group);
    byGroup.set(group, sofar === undefined ? sums : addSums(sofar, sums));
  }
  return [...byGroup].map(([group, sums]) => ({ group, sums })).filter(({ sums }) => sums.requests !== 0);
}
