import { GatewayError, isStoreLost, toGatewayError } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from '../../http/http-exchange.js';

/** Pieces of work that may run at the same time without a reply waiting for them. */
const MOST_AT_ONCE = 256;

/**
 * Work that a request sets going and its reply does not wait for, such as the look-up of an address. It is held in memory alone: what a crash cuts
 * off is lost. The request counts as running until it has ended, so a gateway that stops waits for it.
 */
export class BackgroundWork {
  #running = 0;

  constructor(private readonly log: Logger) {}

  /** Resolves when the work has ended, also where it failed, which is logged. Throws `server_busy` when too much runs. */
  start({ requestId }: HttpExchange, work: () => Promise<void>): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) throw new GatewayError('server_busy', 'The gateway has no room for this at the moment.', { retryAfterSeconds: 2 });
    return this.guarded(requestId, work);
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
      if (!isStoreLost(thrown)) this.log.error({ requestId, err: toGatewayError(thrown).cause ?? thrown }, 'work that followed a request failed');
    } finally {
      this.#running -= 1;
    }
  }
}

/** Long work of which one run is enough at a time: calls during a run share its result. */
export class SharedRun<Result> {
  #running: Promise<Result> | null = null;

  constructor(private readonly work: () => Promise<Result>) {}

  /** Fails as the run does; the next call begins another. */
  join(): Promise<Result> {
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
