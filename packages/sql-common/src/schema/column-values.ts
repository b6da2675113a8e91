import { type Instant, instant } from '@tollgate/core';

/** Both databases store a flag as 0 or 1. */
export function flagToColumn(flag: boolean): number {
  return flag ? 1 : 0;
}

export function flagFromColumn(column: bigint | number): boolean {
  return Number(column) !== 0;
}

export function instantFromColumn(column: bigint | number): Instant {
  return instant(Number(column));
}

export function instantOrNull(column: bigint | number | null): Instant | null {
  return column === null ? null : instantFromColumn(column);
}
