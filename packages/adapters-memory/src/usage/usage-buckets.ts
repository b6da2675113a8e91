import {
  ServiceTokens, type UsageBucket, type SummaryGrouping, type UsageRecord, UsdAmount, outputTokensOf, utcDayOf,
} from '@tollgate/core';

const GROUP_OF: Readonly<Record<SummaryGrouping, (record: UsageRecord) => string | null>> = {
  day: ({ endedAt }) => utcDayOf(endedAt),
  model: ({ service }) => service?.servedBy ?? null,
  key: ({ keyId }) => keyId,
  user: ({ attribution }) => attribution,
  'day-model': ({ endedAt, service }) => `${utcDayOf(endedAt)} ${service?.servedBy ?? ''}`,
};

/** Days are bounded by the period of a summary. */
export function isByDay(grouping: SummaryGrouping): boolean {
  return grouping === 'day' || grouping === 'day-model';
}

/** Totals per group: days ascending, other groups by charge descending. */
export function bucketsOf(records: readonly UsageRecord[], groupBy: SummaryGrouping): readonly UsageBucket[] {
  const buckets = [...grouped(records, GROUP_OF[groupBy])].map(([group, members]) => bucketOf(group, members));
  return buckets.toSorted(isByDay(groupBy) ? byGroup : (first, second) => byCharge(first, second) || byGroup(first, second));
}

function grouped(records: readonly UsageRecord[], groupOf: (record: UsageRecord) => string | null): ReadonlyMap<string | null, readonly UsageRecord[]> {
  const groups = new Map<string | null, UsageRecord[]>();
  for (const record of records) {
    const members = groups.get(groupOf(record));
    if (members === undefined) groups.set(groupOf(record), [record]);
    else members.push(record);
  }
  return groups;
}

function bucketOf(group: string | null, records: readonly UsageRecord[]): UsageBucket {
  const sum = (count: (record: UsageRecord) => number): number => records.reduce((total, record) => total + count(record), 0);
  return {
    group,
    requests: records.length,
    uncachedPromptTokens: sum(({ usage }) => usage.uncachedPromptTokens),
    cachedPromptTokens: sum(({ usage }) => usage.cachedPromptTokens),
    cacheCreationTokens: sum(({ usage }) => usage.cacheCreationTokens),
    outputTokens: sum(({ usage }) => outputTokensOf(usage)),
    reasoningTokens: sum(({ usage }) => usage.reasoningTokens),
    charged: records.reduce((total, { charge }) => total.plus(charge.amount), ServiceTokens.ZERO),
    chargedUsd: records.reduce((total, { charge }) => total.plus(charge.usd), UsdAmount.ZERO).toString(),
  };
}

function byCharge(first: UsageBucket, second: UsageBucket): number {
  if (first.charged.equals(second.charged)) return 0;
  return first.charged.isLessThan(second.charged) ? 1 : -1;
}

/** Requests without a group come first, as SQL sorts them. */
function byGroup(first: UsageBucket, second: UsageBucket): number {
  if (first.group === second.group) return 0;
  return (first.group ?? '') < (second.group ?? '') ? -1 : 1;
}
