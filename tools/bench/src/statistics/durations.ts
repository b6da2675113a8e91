import { percentileOf } from './percentile.js';

/** How a number of waits went, in milliseconds. */
export interface DurationSummary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}

/** Keeps durations while they are measured, without an allocation for each. */
export class Durations {
  #values = new Float64Array(4096);
  #count = 0;

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(2 * this.#values.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = milliseconds;
    this.#count += 1;
  }

  summary(): DurationSummary {
    const ascending = this.#values.slice(0, this.#count).toSorted();
    return {
      count: this.#count,
      p50: percentileOf(ascending, 0.5),
      p99: percentileOf(ascending, 0.99),
      p999: percentileOf(ascending, 0.999),
      longest: percentileOf(ascending, 1),
    };
  }
}
