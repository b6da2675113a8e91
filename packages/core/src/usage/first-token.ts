import type { ApiKeyId, ModelSlug } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import { type Instant, instant, parseUtcDay, type UtcDay } from '../primitives/time.js';
import { type CalendarPeriod, type DayRange, type PeriodUnit, periodsOf } from './calendar-periods.js';
import type { UsageScope } from './usage-filters.js';
import type { TimedRequest, UsageReader } from './usage-reader.js';

/** The range is divided into about this many slices; a period has at least one. */
const SLICES = 240;
/** Requests that are read per slice, the newest first: about 5,000 in all slices together, at most 7,320 if the periods are 366 days. */
export const REQUESTS_PER_SLICE = 20;

export interface FirstTokenQuery extends DayRange {
  readonly accountId: UsageScope;
  readonly unit: PeriodUnit;
  /** Only requests that this model served; `null` for all. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
}

/** Milliseconds from the arrival of a request to its first output. */
export interface FirstTokenFigures {
  /** Number of measured requests: those with output among the requests that were read. */
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
}

export interface FirstTokenSummary {
  /** `null` if no request was measured. */
  readonly total: FirstTokenFigures | null;
  /** In order; periods without a measured request are left out. */
  readonly periods: readonly (FirstTokenFigures & { readonly period: string })[];
  /** The model with the most measured requests first. */
  readonly models: readonly (FirstTokenFigures & { readonly model: ModelSlug })[];
  /** True if a slice may have more requests than were read. */
  readonly isSampled: boolean;
}

interface PeriodSlice {
  readonly period: string;
  readonly from: Instant;
  readonly to: Instant;
}

function midnight(day: UtcDay): Instant {
  const at = parseUtcDay(day);
  invariant(at !== null, 'the day of a period is a UTC day');
  return at;
}

/** Divides the period into `count` parts of equal length. */
function slicesOf({ label, from: first, before }: CalendarPeriod, count: number): readonly PeriodSlice[] {
  const [from, to] = [midnight(first), midnight(before)];
  const edge = (index: number): Instant => instant(from + ((to - from) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ period: label, from: edge(index), to: edge(index + 1) }));
}

/** The quantile by nearest rank. */
function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(share * ascending.length) - 1] ?? 0;
}

function figuresOf(times: readonly number[]): FirstTokenFigures {
  const ascending = times.toSorted((first, second) => first - second);
  return { requests: times.length, p50: quantile(ascending, 0.5), p95: quantile(ascending, 0.95) };
}

interface Measured {
  readonly period: string;
  readonly model: ModelSlug | null;
  readonly milliseconds: number;
}

function figuresBy<Group extends string>(measured: readonly Measured[], groupOf: (one: Measured) => Group | null): readonly (readonly [Group, FirstTokenFigures])[] {
  const times = new Map<Group, number[]>();
  for (const one of measured) {
    const group = groupOf(one);
    if (group === null) continue;
    const known = times.get(group);
    if (known === undefined) times.set(group, [one.milliseconds]);
    else known.push(one.milliseconds);
  }
  return [...times].map(([group, own]) => [group, figuresOf(own)] as const);
}

function measuredOf(requests: readonly TimedRequest[], slices: readonly PeriodSlice[], { model, keyId }: FirstTokenQuery): readonly Measured[] {
  return requests.flatMap((request): readonly Measured[] => {
    const period = slices[request.slice]?.period;
    if (period === undefined || request.firstOutputAt === null || (model !== null && request.model !== model) || (keyId !== null && request.keyId !== keyId)) return [];
    // Not below zero, because the clocks of several gateways may differ.
    return [{ period, model: request.model, milliseconds: Math.max(0, request.firstOutputAt - request.startedAt) }];
  });
}

function isFull(requests: readonly TimedRequest[]): boolean {
  const counts = new Map<number, number>();
  for (const { slice } of requests) counts.set(slice, (counts.get(slice) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= REQUESTS_PER_SLICE);
}

/** Summarizes whole UTC days from the newest requests of each slice, so that the cost is bounded and settlements write nothing extra. */
export async function firstTokenSummary(usage: Pick<UsageReader, 'newestOfSlices'>, query: FirstTokenQuery): Promise<FirstTokenSummary> {
  const periods = periodsOf(query.unit, query);
  const slices = periods.flatMap((period) => slicesOf(period, Math.max(1, Math.floor(SLICES / periods.length))));
  const requests = await usage.newestOfSlices({ accountId: query.accountId, slices, perSlice: REQUESTS_PER_SLICE });
  const measured = measuredOf(requests, slices, query);
  const byPeriod = new Map(figuresBy(measured, ({ period }) => period));
  return {
    total: measured.length === 0 ? null : figuresOf(measured.map(({ milliseconds }) => milliseconds)),
    periods: periods.flatMap(({ label }) => {
      const figures = byPeriod.get(label);
      return figures === undefined ? [] : [{ period: label, ...figures }];
    }),
    models: figuresBy(measured, ({ model }) => model).map(([model, figures]) => ({ model, ...figures }))
      .toSorted((first, second) => second.requests - first.requests || (first.model < second.model ? -1 : 1)),
    isSampled: isFull(requests),
  };
}
