/** States what the code relies on; the message says why it must hold. */
export function invariant(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${why}`);
}

/** Closes a `switch` over a union: a member added later fails the type check here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
