import { describe, expect, it } from '@jest/globals';
import type { AccountId, ApiKeyId, ModelSlug } from '../primitives/ids.js';
import { instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import { type FirstTokenQuery, firstTokenSummary, REQUESTS_PER_SLICE } from './first-token.js';
import type { SlicesQuery, TimedRequest } from './usage-reader.js';

const FROM = instant(Date.UTC(2026, 10, 16));
const [SMALL, LARGE] = ['small' as ModelSlug, 'large' as ModelSlug];
const QUERY: FirstTokenQuery = { accountId: 'acct_1' as AccountId, from: FROM, to: later(FROM, 2 * MILLISECONDS_PER_DAY), unit: 'day', model: null, keyId: null };

interface Ended {
  readonly afterHours: number;
  readonly milliseconds: number | null;
  readonly model?: ModelSlug | null;
  readonly keyId?: ApiKeyId;
}

/** A reader of known requests, which returns the newest of each slice. */
function usageOf(ended: readonly Ended[], asked: SlicesQuery[] = []) {
  const newest = ({ slices, perSlice }: SlicesQuery): readonly TimedRequest[] => slices.flatMap(({ from, to }, slice) => ended
    .map(({ afterHours, milliseconds, model = SMALL, keyId = null }) => {
      const endedAt = later(FROM, afterHours * MILLISECONDS_PER_HOUR);
      return { endedAt, slice, model, keyId, startedAt: later(endedAt, -60_000), firstOutputAt: milliseconds === null ? null : later(endedAt, milliseconds - 60_000) };
    })
    .filter(({ endedAt }) => endedAt >= from && endedAt < to).slice(0, perSlice));
  return {
    newestOfSlices: (query: SlicesQuery) => {
      asked.push(query);
      return Promise.resolve(newest(query));
    },
  };
}

function tens(count: number, afterHours: number): readonly Ended[] {
  return Array.from({ length: count }, (_, index) => ({ afterHours, milliseconds: (index + 1) * 10 }));
}

describe('the time to the first token', () => {
  it('has the median and the 95th percentile of each period by nearest rank', async () => {
    const summary = await firstTokenSummary(usageOf([...tens(19, 1), { afterHours: 30, milliseconds: 7 }]), QUERY);
    expect(summary.periods).toEqual([{ period: '2026-11-16', requests: 19, p50: 100, p95: 190 }, { period: '2026-11-17', requests: 1, p50: 7, p95: 7 }]);
    expect(summary.total).toEqual({ requests: 20, p50: 90, p95: 180 });
    expect(summary.isSampled).toBe(false);
  });

  it('leaves out requests without output, and periods without requests', async () => {
    expect(await firstTokenSummary(usageOf([{ afterHours: 1, milliseconds: null }, { afterHours: 48, milliseconds: 1 }]), QUERY))
      .toEqual({ total: null, periods: [], models: [], isSampled: false });
  });

  it('counts as zero if it is negative because clocks disagree', async () => {
    expect((await firstTokenSummary(usageOf([{ afterHours: 1, milliseconds: -5 }]), QUERY)).total).toEqual({ requests: 1, p50: 0, p95: 0 });
  });

  it('is listed per model, the model with the most requests first', async () => {
    const ended: readonly Ended[] = [{ afterHours: 1, milliseconds: 10, model: LARGE }, { afterHours: 2, milliseconds: 30 }, { afterHours: 3, milliseconds: 20 }, { afterHours: 4, milliseconds: 1, model: null }];
    const { models, total } = await firstTokenSummary(usageOf(ended), QUERY);
    expect(models).toEqual([{ model: SMALL, requests: 2, p50: 20, p95: 30 }, { model: LARGE, requests: 1, p50: 10, p95: 10 }]);
    expect(total?.requests).toBe(4);
  });

  it('is that of the requests of the given model and key only', async () => {
    const key = 'key_1' as ApiKeyId;
    const ended: readonly Ended[] = [{ afterHours: 1, milliseconds: 10, model: LARGE, keyId: key }, { afterHours: 1, milliseconds: 20, keyId: key }, { afterHours: 1, milliseconds: 30, model: LARGE }];
    const totalOf = async (parts: Partial<FirstTokenQuery>) => (await firstTokenSummary(usageOf(ended), { ...QUERY, ...parts })).total;
    expect([(await totalOf({ model: LARGE }))?.requests, (await totalOf({ keyId: key }))?.p95, await totalOf({ model: LARGE, keyId: key })])
      .toEqual([2, 20, { requests: 1, p50: 10, p95: 10 }]);
  });

  it('is marked as sampled if a slice has more requests than are read', async () => {
    const { isSampled, total } = await firstTokenSummary(usageOf(tens(REQUESTS_PER_SLICE + 1, 1)), QUERY);
    expect([isSampled, total?.requests]).toEqual([true, REQUESTS_PER_SLICE]);
  });

  it.each([[1, 'day', 240], [2, 'day', 240], [92, 'day', 184], [366, 'day', 366], [366, 'week', 212], [366, 'month', 234]] as const)('is read for %d days by %s in %d slices without gaps', async (days, unit, slices) => {
    const asked: SlicesQuery[] = [];
    const to = later(FROM, days * MILLISECONDS_PER_DAY);
    await firstTokenSummary(usageOf([], asked), { ...QUERY, to, unit });
    const found = asked[0]?.slices ?? [];
    expect(found).toHaveLength(slices);
    expect([found[0]?.from, found.at(-1)?.to]).toEqual([FROM, to]);
    expect(found.slice(1).every(({ from }, index) => from === found[index]?.to)).toBe(true);
  });
});
