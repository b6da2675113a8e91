import type { Script } from './script.js';

/** What was read from a row, or why the row cannot be read. */
export type ReadRow<Value> = { readonly value: Value } | { readonly failure: unknown };

/** For scripts that claim rows: a failure that they threw would undo the claim, so the row would be claimed first again and hide all others. */
export function readRow<Value>(read: () => Value): ReadRow<Value> {
  try {
    return { value: read() };
  } catch (failure) {
    return { failure };
  }
}

/** Runs a script as `readRow` calls a function. The failure of a query is not caught, because `runScript` does not resume the script after it. */
export function* readRows<Value>(script: Script<Value>): Script<ReadRow<Value>> {
  try {
    return { value: yield* script };
  } catch (failure) {
    return { failure };
  }
}

/** Throws the failure; for use after the claim is committed. */
export function valueOf<Value>(row: ReadRow<Value>): Value {
  if ('failure' in row) throw row.failure;
  return row.value;
}
