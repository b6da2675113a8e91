import type { UsageRecord } from '../billing/usage-record.js';
import { UsdAmount } from '../money/price.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { outputTokensOf } from '../money/usage.js';
import type { SummaryGrouping, UsageBucket } from './usage-reader.js';

export interface UsageSums {
  readonly requests: number;
  readonly uncachedPromptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
  /** Includes reasoning tokens. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly charged: ServiceTokens;
  /** Each charge at its own rate. */
  readonly chargedUsd: UsdAmount;
}

export const NO_USAGE_SUMS: UsageSums = {
  requests: 0, uncachedPromptTokens: 0, cachedPromptTokens: 0, cacheCreationTokens: 0, outputTokens: 0, reasoningTokens: 0,
  charged: ServiceTokens.ZERO, chargedUsd: UsdAmount.ZERO,
};

export function addSums(first: UsageSums, second: UsageSums): UsageSums {
  return {
    requests: first.requests + second.requests,
    uncachedPromptTokens: first.uncachedPromptTokens + second.uncachedPromptTokens,
    cachedPromptTokens: first.cachedPromptTokens + second.cachedPromptTokens,
    cacheCreationTokens: first.cacheCreationTokens + second.cacheCreationTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    reasoningTokens: first.reasoningTokens + second.reasoningTokens,
    charged: first.charged.plus(second.charged),
    chargedUsd: first.chargedUsd.plus(second.chargedUsd),
  };
}

export function sumsOfRecord({ usage, charge }: UsageRecord): UsageSums {
  const { uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, reasoningTokens } = usage;
  return {
    requests: 1, uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, outputTokens: outputTokensOf(usage), reasoningTokens,
    charged: charge.amount, chargedUsd: charge.usd,
  };
}

/** `null` for requests without a group. */
export interface GroupSums {
  readonly group: string | null;
  readonly sums: UsageSums;
}

/** By name; `null` last. */
export function byGroupName(first: string | null, second: string | null): number {
  if (first === second) return 0;
  if (first === null) return 1;
  if (second === null) return -1;
  return first < second ? -1 : 1;
}

/** By charge descending, then by name. */
export function byGroupRank(first: GroupSums, second: GroupSums): number {
  const [mine, other] = [first.sums.charged, second.sums.charged];
  if (mine.equals(other)) return byGroupName(first.group, second.group);
  return mine.isLessThan(other) ? 1 : -1;
}

/** One entry per group, in order of appearance. Groups whose requests cancel out are omitted. */
export function sumsByGroup(parts: readonly GroupSums[]): readonly GroupSums[] {
  const byGroup = new Map<string | null, UsageSums>();
  for (const { group, sums } of parts) {
    const sofar = byGroup.get(group);
    byGroup.set(group, sofar === undefined ? sums : addSums(sofar, sums));
  }
  return [...byGroup].map(([group, sums]) => ({ group, sums })).filter(({ sums }) => sums.requests !== 0);
}

/** Not limited: the summary's period bounds them. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** Merges rates. Days ascending, other groups by charge descending. */
export function usageBuckets(parts: readonly GroupSums[], grouping: SummaryGrouping): readonly UsageBucket[] {
  return sumsByGroup(parts).toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}

export function bucketOf({ group, sums: { chargedUsd, ...sums } }: GroupSums): UsageBucket {
  return { group, ...sums, chargedUsd: chargedUsd.toString() };
}
