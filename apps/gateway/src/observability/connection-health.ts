import { type Clock, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Logger } from 'pino';
import type { ConnectionBound, ConnectionReport } from '../http/server/connection-limits.js';

const MESSAGES: Readonly<Record<ConnectionBound, string>> = {
  total: 'MAX_CONNECTIONS is reached and no connection is idle; new ones are closed without a response',
  address: 'MAX_CONNECTIONS_PER_ADDRESS is reached and no connection of that address is idle; new ones are closed without a response',
};

/** Counts connections and refusals. Logs each reached limit at most once a minute, with the number of refusals. */
export class ConnectionHealth implements ConnectionReport {
  #open = 0;
  readonly #refused: Record<ConnectionBound, number> = { total: 0, address: 0 };
  readonly #closedIdle: Record<ConnectionBound, number> = { total: 0, address: 0 };
  readonly #logged: Record<ConnectionBound, { refused: number; at: Instant } | null> = { total: null, address: null };

  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  get open(): number {
    return this.#open;
  }

  get refusals(): Readonly<Record<ConnectionBound, number>> {
    return this.#refused;
  }

  get closedIdleConnections(): Readonly<Record<ConnectionBound, number>> {
    return this.#closedIdle;
  }

  closedIdle(bound: ConnectionBound): void {
    this.#closedIdle[bound] += 1;
  }

  opened(): void {
    this.#open += 1;
  }

  closed(): void {
    this.#open -= 1;
  }

  refused(bound: ConnectionBound, peer: string | null): void {
    this.#refused[bound] += 1;
    const now = this.clock.now();
    const last = this.#logged[bound];
    if (last !== null && now - last.at < MILLISECONDS_PER_MINUTE) return;
    const refused = this.#refused[bound];
    this.log.warn({ open: this.#open, refused: refused - (last?.refused ?? 0), peer }, MESSAGES[bound]);
    this.#logged[bound] = { refused, at: now };
  }
}
