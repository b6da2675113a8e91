import { countedNetworksOf } from '@tollgate/core';
import { insideNetworks } from '../peer-network.js';
import { NetworkCounts } from '../network-counts.js';

/** The part of the connections that clients may have busy whose network runs many requests. */
export const SHARE_OF_BUSY_NETWORKS = 0.9;
/** From so many requests on a customer's network runs many; larger networks from multiples of it. */
export const MANY_REQUESTS = 8;

/**
 * Counts running requests by the networks of their clients, which a proxy tells only with the request.
 * The last tenth of the connections is for networks that run few, so that the requests of a few networks refuse no other.
 */
export class NetworkShares {
  readonly #running = new NetworkCounts();
  readonly #isExempt: (address: string) => boolean;
  #maximum = (): number => Infinity;

  /** Addresses inside these networks stand for many clients and have no bound. */
  constructor(exemptNetworks: readonly string[]) {
    this.#isExempt = insideNetworks(exemptNetworks);
  }

  /** `maximum` tells how many connections clients may have at the moment. */
  boundBy(maximum: () => number): void {
    this.#maximum = maximum;
  }

  /** Counts a request until the function that it returns is called. `null`: it is refused, since connections are scarce and its network runs many. */
  begin(clientAddress: string): (() => void) | null {
    const networks = this.#isExempt(clientAddress) ? [] : countedNetworksOf(clientAddress);
    const isScarce = this.#running.total >= Math.floor(this.#maximum() * SHARE_OF_BUSY_NETWORKS);
    if (isScarce && this.#running.hasMany(networks, MANY_REQUESTS)) return null;
    this.#running.change(networks, 1);
    return () => this.#running.change(networks, -1);
  }
}
