import { ServiceTokens, type TokenRate, type UsageBucket, UsdAmount, type SummaryGrouping } from '@tollgate/core';

/** Sums of one group at one rate. */
export interface UsageSumRow {
  readonly group: string;
  readonly usd_rate: string;
  readonly requests: bigint;
  readonly uncached_prompt_tokens: bigint;
  readonly cached_prompt_tokens: bigint;
  readonly cache_creation_tokens: bigint;
  readonly reasoning_tokens: bigint;
  readonly visible_output_tokens: bigint;
  readonly charge: bigint;
}

function bucketOf(row: UsageSumRow): UsageBucket {
  const charged = ServiceTokens.fromUnits(row.charge);
  return {
    group: row.group === '' ? null : row.group,
    requests: Number(row.requests),
    uncachedPromptTokens: Number(row.uncached_prompt_tokens),
    cachedPromptTokens: Number(row.cached_prompt_tokens),
    cacheCreationTokens: Number(row.cache_creation_tokens),
    outputTokens: Number(row.reasoning_tokens + row.visible_output_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    charged,
    chargedUsd: UsdAmount.worthOf(charged, row.usd_rate as TokenRate).toString(),
  };
}

function sumOf(a: UsageBucket, b: UsageBucket): UsageBucket {
  return {
    group: a.group,
    requests: a.requests + b.requests,
    uncachedPromptTokens: a.uncachedPromptTokens + b.uncachedPromptTokens,
    cachedPromptTokens: a.cachedPromptTokens + b.cachedPromptTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    charged: a.charged.plus(b.charged),
    chargedUsd: UsdAmount.parse(a.chargedUsd).plus(UsdAmount.parse(b.chargedUsd)).toString(),
  };
}

function byGroup(a: UsageBucket, b: UsageBucket): number {
  if (a.group === b.group) return 0;
  if (a.group === null) return 1;
  if (b.group === null) return -1;
  return a.group < b.group ? -1 : 1;
}

function byCharge(a: UsageBucket, b: UsageBucket): number {
  if (a.charged.equals(b.charged)) return byGroup(a, b);
  return a.charged.isLessThan(b.charged) ? 1 : -1;
}

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** One bucket per group, whatever rates its requests were charged at; in the order the port promises. */
export function usageBuckets(rows: readonly UsageSumRow[], grouping: SummaryGrouping): readonly UsageBucket[] {
  const buckets = new Map<string, UsageBucket>();
  for (const row of rows) {
    const bucket = bucketOf(row);
    const sofar = buckets.get(row.group);
    buckets.set(row.group, sofar === undefined ? bucket : sumOf(sofar, bucket));
  }
  return [...buckets.values()].toSorted(isByDay(grouping) ? byGroup : byCharge);
}
