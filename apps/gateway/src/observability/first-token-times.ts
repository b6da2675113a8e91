/** Milliseconds, exact within 10 %. */
export interface FirstTokenQuantiles {
  readonly p50: number;
  readonly p95: number;
}

/** The upper bound of each class exceeds that of the previous one by a tenth. */
const GROWTH = Math.log(1.1);

/** A histogram of times to the first token, with constant memory. */
export class FirstTokenTimes {
  readonly #classes = new Map<number, number>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(milliseconds: number): void {
    const size = milliseconds < 1 ? 0 : Math.ceil(Math.log(milliseconds) / GROWTH);
    this.#classes.set(size, (this.#classes.get(size) ?? 0) + 1);
    this.#count += 1;
  }

  /** `null` without any time. */
  quantiles(): FirstTokenQuantiles | null {
    if (this.#count === 0) return null;
    const sizes = [...this.#classes].toSorted(([first], [second]) => first - second);
    return { p50: this.#quantile(sizes, 0.5), p95: this.#quantile(sizes, 0.95) };
  }

  #quantile(sizes: readonly (readonly [size: number, count: number])[], share: number): number {
    let rest = Math.ceil(this.#count * share);
    for (const [size, count] of sizes) {
      rest -= count;
      if (rest <= 0) return Math.round(Math.exp(size * GROWTH));
    }
    return 0;
  }
}
