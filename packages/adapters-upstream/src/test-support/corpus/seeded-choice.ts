import { SeededRandom } from '@tollgate/testkit';

/** Choices that come out the same for the same seed. */
export class SeededChoice {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** At least 0 and below 1. */
  share(): number {
    return this.#random.fraction();
  }

  /** A whole number from one to the other, either included. */
  between(least: number, most: number): number {
    return this.#random.between(least, most);
  }

  of<Value>(values: ArrayLike<Value>): Value {
    return this.#random.pick(values);
  }

  /** So many characters of an alphabet, each as likely. */
  text(length: number, alphabet: ArrayLike<string>): string {
    return this.times(length, () => this.of(alphabet)).join('');
  }

  times<Value>(count: number, make: (position: number) => Value): Value[] {
    return Array.from({ length: count }, (_none, position) => make(position));
  }
}
