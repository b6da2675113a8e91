import type { CountedNetwork } from '@tollgate/core';

/** Counts the clients' running requests or tasks, in each network that their address belongs to. */
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

  /** True if one of the networks counts at least `many`, or the multiple that applies to its size. */
  hasMany(networks: readonly CountedNetwork[], many: number): boolean {
    return networks.some(({ name, times }) => (this.#counts.get(name) ?? 0) >= many * times);
  }
}
