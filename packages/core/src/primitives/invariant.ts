/** An assumption of the code does not hold. Retrying does not help. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';

  constructor(why: string) {
    super(`invariant broken: ${why}`);
  }
}

/** Throws `BrokenInvariant`. */
export function invariant(condition: boolean, why: string): asserts condition {
  if (!condition) throw new BrokenInvariant(why);
}
