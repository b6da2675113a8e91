/** A value with the sample that it comes from. */
interface Ranked {
  readonly value: number;
  readonly isFirst: boolean;
}

/** Abramowitz and Stegun 7.1.26, to 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - series * Math.exp(-x * x);
}

/** The sum of the first sample's ranks, and what ties take from the variance. Values that are equal share their ranks' mean. */
function rankSum(values: readonly Ranked[]): { readonly sum: number; readonly ties: number } {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  let [sum, ties] = [0, 0];
  for (let start = 0; start < sorted.length;) {
    let end = start;
    while (end < sorted.length && sorted[end]?.value === sorted[start]?.value) end += 1;
    const count = end - start;
    const meanRank = (start + 1 + end) / 2;
    sum += meanRank * sorted.slice(start, end).filter(({ isFirst }) => isFirst).length;
    ties += count ** 3 - count;
    start = end;
  }
  return { sum, ties };
}

/**
 * The two-sided p value of the Mann-Whitney test that two samples come from one distribution, in the normal approximation with the
 * correction for ties; for samples of twenty or more.
 */
export function rankTest(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  const all = n + m;
  const { sum, ties } = rankSum([...first.map((value) => ({ value, isFirst: true })), ...second.map((value) => ({ value, isFirst: false }))]);
  const u = sum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance === 0) return 1;
  const distance = Math.max(Math.abs(u - (n * m) / 2) - 0.5, 0) / Math.sqrt(variance);
  return 1 - errorFunction(distance / Math.SQRT2);
}
