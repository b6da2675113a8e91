import { type CountedNetwork, countedNetworksOf, GatewayError, isStoreLost, toGatewayError } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from '../../http/http-exchange.js';
import { NetworkCounts } from '../../http/network-counts.js';
import type { DashboardCall } from './dashboard-call.js';

/** Pieces of work that may run at the same time without a reply waiting for them. */
export const MAX_AT_ONCE = 288;
/** Of them, for browsers that are known to no one; so others find room beside a flood. */
export const MAX_FOR_STRANGERS = 224;
/** Of these, for networks of which some runs already; so others find room beside a flood from few networks. */
export const MAX_FOR_BUSY_NETWORKS = 192;
/** Of these, for the network of one customer; larger networks have multiples of it. */
const MAX_PER_NETWORK = 16;
/** From so much on a network counts as busy; larger networks from multiples of it. */
const BUSY_FROM = 1;

function noRoom(): GatewayError {
  return new GatewayError('too_many_attempts', 'The gateway is too busy for this at the moment. Try again later.', { retryAfterSeconds: 2 });
}

/** Whose request it is that sets work going. */
export type WorkHolder = Pick<DashboardCall, 'exchange' | 'knownAs'>;

/**
 * Work that a request sets going and its reply does not wait for, such as the look-up of an address. It is held in memory alone: what a crash cuts
 * off is lost. The request counts as running until it has ended, so a gateway that stops waits for it.
 */
export class BackgroundWork {
  readonly #strangers = new NetworkCounts();
  #running = 0;

  constructor(private readonly log: Logger) {}

  /** Resolves when the work has ended, also where it failed, which is logged. Throws `too_many_attempts` when too much runs, of the network or in all. */
  start({ exchange: { requestId, clientAddress }, knownAs }: WorkHolder, work: () => Promise<void>): Promise<void> {
    const networks = knownAs === null ? countedNetworksOf(clientAddress) : [];
    if (this.#running >= MAX_AT_ONCE || (knownAs === null && this.#isFull(networks))) throw noRoom();
    if (knownAs !== null) return this.guarded(requestId, work);
    this.#strangers.change(networks, 1);
    return this.guarded(requestId, work).finally(() => this.#strangers.change(networks, -1));
  }

  #isFull(networks: readonly CountedNetwork[]): boolean {
    const most = this.#strangers.hasMany(networks, BUSY_FROM) ? MAX_FOR_BUSY_NETWORKS : MAX_FOR_STRANGERS;
    return this.#strangers.total >= most || this.#strangers.hasMany(networks, MAX_PER_NETWORK);
  }

  /** The same for what follows from an act that is done, and has no other time. It is not refused: such acts are bounded themselves. */
  follow({ requestId }: HttpExchange, work: () => Promise<void>): Promise<void> {
    return this.guarded(requestId, work);
  }

  private async guarded(requestId: string, work: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await work();
    } catch (thrown) {
      // The lease keeper tells of a store that is lost.
      if (!isStoreLost(thrown)) this.log.error({ requestId, err: toGatewayError(thrown).cause ?? thrown }, 'work after a request failed');
    } finally {
      this.#running -= 1;
    }
  }
}
