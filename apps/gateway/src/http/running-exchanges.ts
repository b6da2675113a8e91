import type { Socket } from 'node:net';
import { GatewayError, type RequestId, TransientMap } from '@tollgate/core';
import type { HttpExchange } from './http-exchange.js';

/** The requests this process is answering at the moment. */
export class RunningExchanges {
  readonly #running = new TransientMap<RequestId, HttpExchange>();
  #whenIdle: (() => void)[] = [];
  #started = 0;

  /** Requests that ever began. */
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

  /** Whether a reply has begun on a connection and is not over. Looks at every running request: for connections in trouble only. */
  hasReplyOn(socket: Socket): boolean {
    return [...this.#running.values()].some(({ req, res }) => req.socket === socket && res.headersSent);
  }

  abortAll(reason: string): void {
    for (const exchange of this.#running.values()) exchange.abort(reason);
  }

  /** Resolves when no request is being answered: at once if none is. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }
}

/** Whether the service still takes work on. Closed for good once the service begins to stop; a stop may be announced before. */
export class AdmissionGate {
  #open = true;
  #isStopping = false;

  /** Whether the service stops, or is about to: no further clients are to be sent here. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Work is still taken on. */
  announceStop(): void {
    this.#isStopping = true;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#isStopping = true;
    this.#open = false;
  }

  /** Throws `provider_unavailable` once the service is stopping. */
  check(): void {
    if (this.#open) return;
    throw new GatewayError('provider_unavailable', 'The service is restarting. Please try again.');
  }
}
