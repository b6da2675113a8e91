import type { UsageRecord } from '../billing/usage-record.js';
import { UsdAmount } from '../money/usd-amount.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { type CountField, perCount, TOKEN_COUNTS } from '../money/token-classes.js';
import { NO_USAGE, outputTokensOf } from '../money/usage.js';

/** Counts that a sum states. Visible output is not among them: it is the whole output less reasoning. */
export type SummedCount = Exclude<CountField, 'visibleOutputTokens'>;

export const SUMMED_COUNTS = TOKEN_COUNTS.map(({ field }) => field).filter((field): field is SummedCount => field !== 'visibleOutputTokens');

export interface UsageSums extends Readonly<Record<SummedCount, number>> {
  readonly requests: number;
  /** Includes reasoning. */
  readonly outputTokens: number;
  readonly charged: ServiceTokens;
  /** Sum of the charges, each converted at the value that a service token had when the request started. */
  readonly chargedUsd: UsdAmount;
}

export interface UsageBucket extends Omit<UsageSums, 'chargedUsd'> {
  /** Day, serving model, key id or user; `null` for requests without one. */
  readonly group: string | null;
  /** Exact decimal, computed as in `UsageSums`. */
  readonly chargedUsd: string;
}

export const USAGE_GROUPINGS = ['day', 'model', 'key', 'user'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];
/** A group of `day-model` is named by day and model, with a space between. */
export type SummaryGrouping = UsageGrouping | 'day-model';

export type CountSums = Pick<UsageSums, SummedCount | 'outputTokens'>;

/** States the whole output instead of the visible output. */
export function countSumsOf(counts: Readonly<Record<CountField, number>>): CountSums {
  const { visibleOutputTokens: _visible, ...summed } = perCount(({ field }) => counts[field]);
  return { ...summed, outputTokens: outputTokensOf(counts) };
}

export const NO_USAGE_SUMS: UsageSums = {
  requests: 0, ...countSumsOf(NO_USAGE), charged: ServiceTokens.ZERO, chargedUsd: UsdAmount.ZERO,
};

const ADDED = ['requests', 'outputTokens', ...SUMMED_COUNTS] as const;

export function addSums(first: UsageSums, second: UsageSums): UsageSums {
  const counts = Object.fromEntries(ADDED.map((name) => [name, first[name] + second[name]])) as Pick<UsageSums, (typeof ADDED)[number]>;
  return { ...counts, charged: first.charged.plus(second.charged), chargedUsd: first.chargedUsd.plus(second.chargedUsd) };
}

export function sumsOfRecord({ usage, charge }: UsageRecord): UsageSums {
  return { requests: 1, ...countSumsOf(usage), charged: charge.amount, chargedUsd: charge.usd };
}

export interface GroupSums {
  /** `null` for requests without a group. */
  readonly group: string | null;
  readonly sums: UsageSums;
}

/** Compares by name; `null` comes last. */
export function byGroupName(first: string | null, second: string | null): number {
  if (first === second) return 0;
  if (first === null) return 1;
  if (second === null) return -1;
  return first < second ? -1 : 1;
}

/** Compares by charge, descending, then by name. */
export function byGroupRank(first: GroupSums, second: GroupSums): number {
  const [mine, other] = [first.sums.charged, second.sums.charged];
  if (mine.equals(other)) return byGroupName(first.group, second.group);
  return mine.isLessThan(other) ? 1 : -1;
}

/** In order of appearance. Omits groups whose numbers of requests add up to zero. */
export function sumsByGroup(parts: readonly GroupSums[]): readonly GroupSums[] {
  const byGroup = new Map<string | null, UsageSums>();
  for (const { group, sums } of parts) {
    const sofar = byGroup.get(group);
    byGroup.set(group, sofar === undefined ? sums : addSums(sofar, sums));
  }
  return [...byGroup].map(([group, sums]) => ({ group, sums })).filter(({ sums }) => sums.requests !== 0);
}

/** True for groupings by day, whose groups are bounded by the summary's period instead of its limit. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** Merges the sums of a group at different values of a service token. Sorts days in ascending order, other groups by charge, largest first. */
export function usageBuckets(parts: readonly GroupSums[], grouping: SummaryGrouping): readonly UsageBucket[] {
  return sumsByGroup(parts).toSorted(isByDay(grouping) ? (first, second) => byGroupName(first.group, second.group) : byGroupRank).map(bucketOf);
}

export function bucketOf({ group, sums: { chargedUsd, ...sums } }: GroupSums): UsageBucket {
  return { group, ...sums, chargedUsd: chargedUsd.toString() };
}
