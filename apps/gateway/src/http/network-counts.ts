import type { CountedNetwork } from '@tollgate/core';

/** Counts by client network. */
export class NetworkCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  change(networks: readonly CountedNetwork[], by: 1 | -1): void {
    this.#total += by;
    for (const { name } of networks) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }

  /** True if a network has many requests; larger networks may have multiples of `many`. */
  hasMany(networks: readonly CountedNetwork[], many: number): boolean {
    return networks.some(({ name, times }) => (this.#counts.get(name) ?? 0) >= many * times);
  }
}
