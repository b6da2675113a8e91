/** What repeated measurements of one thing came to. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** The value in the middle; of an even number of values, the mean of the two in the middle. `null` of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted(ascending);
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) return null;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return (lower + upper) / 2;
}

/** The median of some values and the two farthest from it; `null` of none. */
export function spreadOf(values: readonly number[]): Spread | null {
  const median = medianOf(values);
  if (median === null) return null;
  return { median, lowest: Math.min(...values), highest: Math.max(...values) };
}
