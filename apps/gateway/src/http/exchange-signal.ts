import type { Response } from 'express';
import type { CancelSignal } from '@tollgate/core';

/** Abort reason after a disconnect. */
export const CLIENT_LEFT = 'client-left';

/**
 * Node reports a broken connection one event loop turn late, and writes in that turn are lost. Therefore `aborted` checks the socket: the core
 * charges output that it returns, and returns none once `aborted` is true.
 */
export class ExchangeSignal implements CancelSignal {
  readonly #listeners = new Set<() => void>();
  /** Like the reason of an `AbortSignal`, `undefined` until aborted. */
  #reason: string | undefined;

  constructor(private readonly res: Response) {}

  get aborted(): boolean {
    if (this.connectionIsLost()) this.abort(CLIENT_LEFT);
    return this.#reason !== undefined;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** The first reason counts. */
  abort(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const listener of this.#listeners) listener();
  }

  private connectionIsLost(): boolean {
    const { socket, writableEnded } = this.res;
    return !writableEnded && socket !== null && !socket.writable;
  }
}
