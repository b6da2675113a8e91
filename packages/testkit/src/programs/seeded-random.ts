/** Random numbers. The same seed gives the same numbers on every machine and in every version. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** True with the given probability. */
  happens(share: number): boolean {
    return this.fraction() < share;
  }

  /** One of the items, each with the same probability. Throws if there is none. */
  pick<Item>(items: ArrayLike<Item>): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}

/** Returns a function of whole numbers from 0 (inclusive) to `below` (exclusive). */
export function randomFrom(seed: number): (below: number) => number {
  const random = new SeededRandom(seed);
  return (below) => random.between(0, below - 1);
}
