import { invariant } from '@tollgate/core';

/** Asserts that a value which was read before still exists. */
export function present<Value>(value: Value | null, what: string): Value {
  invariant(value !== null, `${what} is there`);
  return value;
}
