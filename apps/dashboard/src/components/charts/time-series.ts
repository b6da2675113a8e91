/** Median and 95th percentile of a time over a number of requests, in milliseconds. */
export interface Times {
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
}

export interface TimeColumn {
  readonly column: string;
  /** `null` if no request was measured. */
  readonly times: Times | null;
}

/** Each column with its times; times of other columns are ignored. */
export function timeColumns(columns: readonly string[], data: readonly (Times & { readonly period: string })[]): readonly TimeColumn[] {
  const byPeriod = new Map(data.map(({ period, ...times }) => [period, times]));
  return columns.map((column) => ({ column, times: byPeriod.get(column) ?? null }));
}

export const TIME_SERIES = [{ name: 'p50', color: 'var(--series-1)' }, { name: 'p95', color: 'var(--series-2)' }] as const;
