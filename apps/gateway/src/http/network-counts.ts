import type { CountedNetwork } from '@tollgate/core';

/** How many things of clients go on, by the networks of the clients. */
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

  /** Whether one of the networks has that many; larger networks may have multiples of it. */
  hasMany(networks: readonly CountedNetwork[], many: number): boolean {
    return networks.some(({ name, times }) => (this.#counts.get(name) ?? 0) >= many * times);
  }
}
