/**
 * The smallest value that at least `share` of all values do not exceed (nearest rank); `share` is above 0 and at most 1.
 * 0 when there are no values.
 */
export function percentileOf(ascendingValues: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * ascendingValues.length));
  return ascendingValues[rank - 1] ?? 0;
}
