import { expect, test } from '@jest/globals';
import type { LoadResult } from './loads/load.js';
import { goalsOf, renderTable, type SiegeReport } from './report.js';

const MEBIBYTE = 1_048_576;

function load(changes: Partial<LoadResult> = {}): LoadResult {
  return { p50Milliseconds: 4, p99Milliseconds: 20, longestMilliseconds: 30, requests: 600, statuses: { 200: 600 }, unanswered: 0, ...changes };
}

function report(changes: Partial<SiegeReport> = {}): SiegeReport {
  return {
    id: 'summaries', title: '', ground: 'sqlite', comparedWith: 'refusing', highestRatio: 3, reference: load(), victim: load({ p99Milliseconds: 59 }),
    attackers: [load({ statuses: { 429: 600, 401: 300 } }), load({ statuses: { 400: 300 } })], mostUnlimited: 600,
    loopDelayMilliseconds: 50, idleBytes: 150 * MEBIBYTE, highestBytes: 511 * MEBIBYTE, restingBytes: 250 * MEBIBYTE,
    idleDescriptors: 30, restingDescriptors: 50, heldDescriptors: 50, refusesConnections: true, reachable: true, ...changes,
  };
}

function missed(changes: Partial<SiegeReport>): readonly string[] {
  return goalsOf(report(changes)).filter(({ isMet }) => !isMet).map(({ what }) => what);
}

test('an attack that is just within every bound meets every goal', () => {
  expect(missed({})).toEqual([]);
});

test.each<readonly [string, Partial<SiegeReport>]>([
  ['other customer\'s p99', { victim: load({ p99Milliseconds: 60 }) }],
  ['every request', { victim: load({ statuses: { 200: 599, 503: 1 } }) }],
  ['every request', { victim: load({ unanswered: 1 }) }],
  ['every request', { victim: load({ requests: 0, statuses: {} }) }],
  ['event loop delay', { loopDelayMilliseconds: 50.1 }],
  ['event loop delay', { loopDelayMilliseconds: null }],
  ['process below', { highestBytes: 512 * MEBIBYTE }],
  ['process below', { highestBytes: null }],
  ['memory afterwards', { restingBytes: 251 * MEBIBYTE }],
  ['descriptors afterwards', { restingDescriptors: 51 }],
  ['descriptors within', { heldDescriptors: 51 }],
  ['descriptors within', { heldDescriptors: null }],
  ['at most 600 requests', { attackers: [load({ statuses: { 429: 600, 401: 301 } }), load({ statuses: { 400: 300 } })] }],
  ['health check', { reachable: false }],
])('an attack misses the goal "%s" and no other with %j', (what, changes) => {
  expect(missed(changes).map((goal) => goal.startsWith(what))).toEqual([true]);
});

test('the table for the documentation has a row for each attack, with the goals that it missed', () => {
  const [, , first, second] = renderTable([report(), report({ ground: 'shared', loopDelayMilliseconds: 51, victim: load({ p99Milliseconds: 59, statuses: { 200: 598, 202: 1, 503: 1 } }) })]).split('\n');
  expect(first).toBe('| `summaries` | 20 ms | 59 ms | 0 of 600 | 50.0 ms | 511, 250, 150 MiB | – |');
  expect(second).toBe('| `summaries` (two gateways) | 20 ms | 59 ms | 1 of 600 | 51.0 ms | 511, 250, 150 MiB | every request of the other customer served; event loop delay p99 at most 50 ms |');
});
