import type { ServerResponse } from 'node:http';
import type { CancelSignal } from '@tollgate/core';

/** The reason a signal carries when its client went away before the reply was complete. */
export const CLIENT_LEFT = 'client-left';

/**
 * Node reports a broken connection a turn late, and what is written to it in that turn is lost.
 * So `aborted` looks at the connection itself: the core charges what it hands out, and hands out nothing once this is true.
 */
export class ExchangeSignal implements CancelSignal {
  readonly #controller = new AbortController();

  constructor(private readonly res: ServerResponse) {}

  get aborted(): boolean {
    if (this.connectionIsLost()) this.abort(CLIENT_LEFT);
    return this.#controller.signal.aborted;
  }

  get reason(): unknown {
    return this.#controller.signal.reason;
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.addEventListener(type, listener);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.removeEventListener(type, listener);
  }

  /** The first reason counts. */
  abort(reason: string): void {
    this.#controller.abort(reason);
  }

  private connectionIsLost(): boolean {
    const { socket, writableEnded } = this.res;
    return !writableEnded && socket !== null && !socket.writable;
  }
}
