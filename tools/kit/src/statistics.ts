/** Percentile by nearest rank; 0 without values. `share` must be above 0 and at most 1. */
export function percentileOf(ascendingValues: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * ascendingValues.length));
  return ascendingValues[rank - 1] ?? 0;
}

/** A summary of durations, in milliseconds. */
export interface DurationSummary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}

/** Records durations in one growing array, without an object for each. */
export class Durations {
  #values = new Float64Array(4096);
  #count = 0;

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(2 * this.#values.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = milliseconds;
    this.#count += 1;
  }

  summary(): DurationSummary {
    const ascending = this.#values.slice(0, this.#count).toSorted();
    return {
      count: this.#count,
      p50: percentileOf(ascending, 0.5),
      p99: percentileOf(ascending, 0.99),
      p999: percentileOf(ascending, 0.999),
      longest: percentileOf(ascending, 1),
    };
  }
}

export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Median; of an even number of values, the mean of the middle two. `null` without values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) return null;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return (lower + upper) / 2;
}

/** Median and extreme values; `null` without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const median = medianOf(values);
  if (median === null) return null;
  return { median, lowest: Math.min(...values), highest: Math.max(...values) };
}

const COLUMN_GAP = '  ';

/** Formats rows as a table. The first column is aligned left, the others right. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_none, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => widths.map((width, column) => {
    const cell = row[column] ?? '';
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  }).join(COLUMN_GAP).trimEnd());
  return lines.map((line) => `${line}\n`).join('');
}
