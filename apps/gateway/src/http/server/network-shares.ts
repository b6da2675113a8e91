import { countedNetworksOf } from '@tollgate/core';
import { insideNetworks } from '../inside-networks.js';
import { NetworkCounts } from '../network-counts.js';

/** Once running requests use this share of the connections, those of busy networks are refused. */
export const SHARE_OF_BUSY_NETWORKS = 0.9;
/** Number of running requests from which a network is busy; larger networks have multiples of it. */
export const MANY_REQUESTS = 8;

/**
 * Counts running requests by client network, which a proxy reveals only with the request. A tenth of the connections is reserved for
 * networks with few requests.
 */
export class NetworkShares {
  readonly #running = new NetworkCounts();
  readonly #isExempt: (address: string) => boolean;
  #maximum = (): number => Infinity;

  /** `exemptNetworks` are networks of addresses that stand for many clients. */
  constructor(exemptNetworks: readonly string[]) {
    this.#isExempt = insideNetworks(exemptNetworks);
  }

  /** Sets the function that returns the maximum number of connections. */
  boundBy(maximum: () => number): void {
    this.#maximum = maximum;
  }

  /** Returns a function that ends the request; `null` if it is refused. */
  begin(clientAddress: string): (() => void) | null {
    const networks = this.#isExempt(clientAddress) ? [] : countedNetworksOf(clientAddress);
    const isScarce = this.#running.total >= Math.floor(this.#maximum() * SHARE_OF_BUSY_NETWORKS);
    if (isScarce && this.#running.hasMany(networks, MANY_REQUESTS)) return null;
    this.#running.change(networks, 1);
    return () => this.#running.change(networks, -1);
  }
}
