import type { SummaryGrouping, UsageBucket } from '../ports/usage-reader.js';
import { byGroupName, byGroupRank, type GroupSums, sumsByGroup } from './usage-groups.js';

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** One bucket for each group, whatever rates its requests were charged at: days ascending, other groups by charge descending. */
export function usageBuckets(parts: readonly GroupSums[], grouping: SummaryGrouping): readonly UsageBucket[] {
  return sumsByGroup(parts).toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}

/** A group as the totals of a list show it. */
export function bucketOf({ group, sums: { chargedUsd, ...sums } }: GroupSums): UsageBucket {
  return { group, ...sums, chargedUsd: chargedUsd.toString() };
}
