import { expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { type GroupSums, NO_USAGE_SUMS, type SummaryGrouping, usageBuckets } from './usage-sums.js';

function part(group: string | null, charged: bigint, requests = 1): GroupSums {
  return { group, sums: { ...NO_USAGE_SUMS, requests, charged: ServiceTokens.fromUnits(charged) } };
}

it.each<readonly [grouping: SummaryGrouping, parts: readonly GroupSums[], expected: readonly string[]]>([
  ['day', [part('2026-01-02', 9n), part('2026-01-01', 1n), part('2026-01-02', 1n)], ['2026-01-01 1', '2026-01-02 10']],
  ['day-model', [part('2026-01-01 small', 9n), part('2026-01-01 large', 1n)], ['2026-01-01 large 1', '2026-01-01 small 9']],
  ['model', [part('b', 1n), part('a', 1n), part('c', 5n), part(null, 5n), part('b', 9n)], ['b 10', 'c 5', 'null 5', 'a 1']],
  ['user', [part('a', 4n), part('a', -4n, -1), part('b', 1n)], ['b 1']],
])('sums by %s have one bucket for each group, in order', (grouping, parts, expected) => {
  expect(usageBuckets(parts, grouping).map(({ group, charged }) => `${group} ${charged.toUnits()}`)).toEqual(expected);
});
