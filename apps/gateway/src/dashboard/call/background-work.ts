import { type CountedNetwork, countedNetworksOf, GatewayError, isStoreLost, toGatewayError } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from '../../http/http-exchange.js';
import { NetworkCounts } from '../../http/network-counts.js';
import type { DashboardCall } from './dashboard-call.js';

/** Once this many tasks run, only follow-up work may start. */
export const MAX_AT_ONCE = 288;
/** Maximum number of running tasks of browsers without a known device. */
export const MAX_FOR_STRANGERS = 224;
/** Once browsers without a known device have this many running tasks, only networks that are not busy may start another. */
export const MAX_FOR_BUSY_NETWORKS = 192;
/** Maximum number of running tasks of browsers without a known device per IPv4 address or IPv6 /64; a /56 has twice as many, a /48 four times. */
const MAX_PER_NETWORK = 16;
/** Number of running tasks from which a network counts as busy; larger networks have multiples of it. */
const BUSY_FROM = 1;

function noRoom(): GatewayError {
  return new GatewayError('too_many_attempts', 'The gateway is too busy for this at the moment. Try again later.', { retryAfterSeconds: 2 });
}

type WorkHolder = Pick<DashboardCall, 'exchange' | 'knownAs'>;

/**
 * Work for which a reply does not wait, such as looking up an address. A crash loses it. Its request counts as running until the work ends, so a
 * stopping gateway waits for the work.
 */
export class BackgroundWork {
  readonly #strangers = new NetworkCounts();
  #running = 0;

  constructor(private readonly log: Logger) {}

  /** Resolves at the work's end; failures are logged. Throws `too_many_attempts` beyond the limits. */
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

  /** Starts follow-up work of a completed act. Never refused, because the acts themselves are limited. */
  follow({ requestId }: HttpExchange, work: () => Promise<void>): Promise<void> {
    return this.guarded(requestId, work);
  }

  private async guarded(requestId: string, work: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await work();
    } catch (thrown) {
      // The lease keeper reports a lost store.
      if (!isStoreLost(thrown)) this.log.error({ requestId, err: toGatewayError(thrown).cause ?? thrown }, 'the background work of a request failed');
    } finally {
      this.#running -= 1;
    }
  }
}
