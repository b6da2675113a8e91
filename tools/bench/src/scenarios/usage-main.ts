import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import {
  ALL_ACCOUNTS, exportUsage, instant, invariant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, NO_USAGE_FILTERS, type UsageReader,
  type UsageScope,
} from '@tollgate/core';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { usageExportForm, usageExportText } from '@tollgate/wire-kit';
import { FIRST_END, LAST_END, USAGE_ACCOUNTS, usageAccountId } from '../seed/fill-usage.js';
import { percentileOf } from '@tollgate/kit';
import type { UsageAnswer, UsageQuestion } from './usage.js';

// Entry point of a process that reads usage records as a gateway does. It runs a round whenever the bench asks for one.

const PAGES = 400;
const SUMMARIES = 400;
const PAGE_RECORDS = 100;
const MAX_EXPORTED = 500_000;
const SUMMED_DAYS = 30;
/** Number of summaries of a whole year, and of summaries over all accounts, in a round. */
const LARGE_SUMMARIES = 100;
const TOP_GROUPS = 5;
const BYTES_PER_MEBIBYTE = 1_048_576;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;
const DELAY_RESOLUTION_MILLISECONDS = 1;

const [file = ''] = process.argv.slice(2);
const store = await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });

/** Positions from 0 to 1, evenly spread and different in each round. */
function places(count: number, round: number): readonly number[] {
  return Array.from({ length: count }, (_none, position) => (position * 0.618_034 + round * 0.414_214) % 1);
}

async function medianMilliseconds(inPlaces: readonly number[], read: (place: number) => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (const place of inPlaces) {
    const begun = performance.now();
    await read(place);
    durations.push(performance.now() - begun);
  }
  return percentileOf(durations.toSorted((first, second) => first - second), 0.5);
}

/**
 * Reads the page of records before a time, which `place`, from 0 to 1, selects in the last nine tenths of the year. Throws unless the page is full.
 */
async function readPage(usage: UsageReader, accountId: UsageScope, place: number): Promise<void> {
  const to = instant(Math.round(FIRST_END + (LAST_END - FIRST_END) * (0.1 + 0.9 * place)));
  const page = await usage.list({ ...NO_USAGE_FILTERS, accountId, to, limit: PAGE_RECORDS, cursor: null });
  if (page?.records.length !== PAGE_RECORDS) throw new Error(`a page has ${page?.records.length ?? 'no'} records, not ${PAGE_RECORDS}`);
}

async function readSummary(usage: UsageReader, place: number): Promise<void> {
  const to = later(LAST_END, -Math.floor(place * SUMMED_DAYS) * MILLISECONDS_PER_DAY);
  const accountId = usageAccountId(Math.floor(place * USAGE_ACCOUNTS));
  const buckets = await usage.summary({ accountId, from: later(to, -SUMMED_DAYS * MILLISECONDS_PER_DAY), to, groupBy: 'model', limit: PAGE_RECORDS });
  if (buckets.length === 0) throw new Error('an account must have requests in every month');
}

/** Sums up a year by week, as the dashboard does for periods of more than 92 days. */
async function readYear(usage: UsageReader, place: number): Promise<void> {
  const { slices } = await usage.breakdown({
    accountId: usageAccountId(Math.floor(place * USAGE_ACCOUNTS)), from: FIRST_END, to: LAST_END, grouping: { unit: 'week', group: 'model' }, top: TOP_GROUPS,
    model: null, keyId: null,
  });
  invariant(slices.length > 0, 'an account has requests in every year');
}

async function readTotals(place: number): Promise<void> {
  const to = later(LAST_END, -Math.floor(place * SUMMED_DAYS) * MILLISECONDS_PER_DAY);
  const group = place < 0.5 ? 'model' : 'account';
  const breakdown = await store.usageTotals.breakdown({
    from: later(to, -SUMMED_DAYS * MILLISECONDS_PER_DAY), to, grouping: { unit: 'day', group }, top: TOP_GROUPS, model: null,
  });
  invariant(breakdown !== null && breakdown.slices.length > 0, 'all accounts have been summed up');
}

/** Does the work; resolves with the longest block of the event loop meanwhile, in milliseconds. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MILLISECONDS });
  delay.enable();
  await work();
  delay.disable();
  return Math.max(0, delay.max / NANOSECONDS_PER_MILLISECOND - DELAY_RESOLUTION_MILLISECONDS);
}

/** Reads summaries of a year and of all accounts. The first rounds compute the totals, as a new gateway does. */
async function readLargeSummaries(usage: UsageReader, round: number): Promise<Pick<UsageAnswer['values'], 'year' | 'totals' | 'block'>> {
  if (await store.usageTotals.hasNewSettlements()) await store.usageTotals.sumUp(later(LAST_END, round * MILLISECONDS_PER_HOUR));
  let [year, totals] = [0, 0];
  const block = await longestBlock(async () => {
    year = await medianMilliseconds(places(LARGE_SUMMARIES, round), (place) => readYear(usage, place));
    totals = await medianMilliseconds(places(LARGE_SUMMARIES, round), readTotals);
  });
  return { year, totals, block };
}

/** Exports the records of all accounts to a reader that never waits. */
async function exportRecords(usage: UsageReader): Promise<Pick<UsageAnswer['values'], 'exported' | 'memory' | 'growth'>> {
  const steps = exportUsage(usage, { ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, at: LAST_END });
  const begun = performance.now();
  let [records, early, late] = [0, 0, 0];
  for await (const piece of usageExportText(usageExportForm('csv', { reader: 'operator', bom: true }), steps)) {
    records += piece.records;
    await turn();
    const resident = process.memoryUsage.rss();
    if (records <= MAX_EXPORTED / 10) early = Math.max(early, resident);
    else late = Math.max(late, resident);
    if (records >= MAX_EXPORTED) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  return { exported: records / seconds, memory: Math.max(early, late) / BYTES_PER_MEBIBYTE, growth: Math.max(0, late - early) / BYTES_PER_MEBIBYTE };
}

async function measure({ round }: UsageQuestion): Promise<UsageAnswer> {
  const { usage } = store;
  const owner = await medianMilliseconds(places(PAGES, round), (place) => readPage(usage, usageAccountId(Math.floor(place * USAGE_ACCOUNTS)), place));
  const operator = await medianMilliseconds(places(PAGES, round), (place) => readPage(usage, ALL_ACCOUNTS, place));
  const summary = await medianMilliseconds(places(SUMMARIES, round), (place) => readSummary(usage, place));
  const large = await readLargeSummaries(usage, round);
  return { kind: 'usage', values: { owner, operator, summary, ...large, ...await exportRecords(usage) } };
}

process.on('message', (message: object) => {
  if ('round' in message) void measure(message as UsageQuestion).then((answer) => process.send?.(answer));
});
// The probe's `unref` is undone, because this process waits for messages.
process.channel?.ref();
process.stdout.write('ready\n');
