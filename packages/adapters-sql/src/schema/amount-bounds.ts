/** The largest amount a column holds, in micro-tokens: far below 2^63, so that no sum of two can overflow. */
export const MAXIMUM_UNITS = 1_000_000_000_000_000_000n;

/** The amount itself, or the largest that can be stored. */
export function storableUnits(units: bigint): bigint {
  return units > MAXIMUM_UNITS ? MAXIMUM_UNITS : units;
}
