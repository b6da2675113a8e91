import type { ServerResponse } from 'node:http';
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

  /**
   * The last reply on this connection that must reach the client whole: it has begun, or its request has arrived. `null` if there is none. Takes
   * linear time, for broken connections only.
   */
  lastReplyOn(socket: Socket): ServerResponse | null {
    const due = [...this.#running.values()].filter(({ req, res }) => req.socket === socket && (res.headersSent || req.complete) && !res.writableFinished);
    return due.at(-1)?.res ?? null;
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
