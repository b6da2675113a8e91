/** What the code relies on does not hold. Trying the same again changes nothing. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';

  constructor(why: string) {
    super(`invariant broken: ${why}`);
  }
}

/** States what the code relies on; the message says why it must hold. Throws `BrokenInvariant`. */
export function invariant(condition: boolean, why: string): asserts condition {
  if (!condition) throw new BrokenInvariant(why);
}

/** Closes a `switch` over a union: a member added later fails the type check here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
