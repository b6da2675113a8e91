/** Choices that come out the same for the same seed. */
export class SeededChoice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0 and below 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from one to the other, either included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  of<Value>(values: ArrayLike<Value>): Value {
    const value = values[this.between(0, values.length - 1)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }

  /** So many characters of an alphabet, each as likely. */
  text(length: number, alphabet: ArrayLike<string>): string {
    return this.times(length, () => this.of(alphabet)).join('');
  }

  times<Value>(count: number, make: (position: number) => Value): Value[] {
    return Array.from({ length: count }, (_none, position) => make(position));
  }
}
