import type { Socket } from 'node:net';
import { type RequestId, TransientMap } from '@tollgate/core';
import type { HttpExchange } from './http-exchange.js';

export class RunningExchanges {
  readonly #running = new TransientMap<RequestId, HttpExchange>();
  #whenIdle: (() => void)[] = [];
  #started = 0;

  /** Number of requests since the start. */
  get started(): number {
    return this.#started;
  }

  get size(): number {
    return this.#running.size;
  }

  add(exchange: HttpExchange): void {
    this.#started += 1;
    this.#running.set(exchange.requestId, exchange);
  }

  delete(exchange: HttpExchange): void {
    this.#running.delete(exchange.requestId);
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  find(requestId: RequestId): HttpExchange | null {
    return this.#running.get(requestId) ?? null;
  }

  /** True if a reply on this connection has begun and not ended. Takes linear time, for broken connections only. */
  hasReplyOn(socket: Socket): boolean {
    return [...this.#running.values()].some(({ req, res }) => req.socket === socket && res.headersSent);
  }

  abortAll(reason: string): void {
    for (const exchange of this.#running.values()) exchange.abort(reason);
  }

  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }
}
