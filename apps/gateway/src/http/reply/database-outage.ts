import { type Clock, type Instant, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { Logger } from 'pino';

/** An outage ends with the first success after this time without failures, so that a flapping database causes two log lines only. */
export const QUIET_MILLISECONDS = 10 * MILLISECONDS_PER_SECOND;

interface DatabaseOutagePorts {
  /** Name of the database without credentials: `postgresql://host/name`, or a file. */
  readonly database: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Message of the innermost cause. */
function reasonOf(thrown: unknown): string {
  let reason = thrown;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  if (reason instanceof AggregateError && reason.message === '') return reasonOf(reason.errors[0]);
  return reason instanceof Error ? reason.message : String(reason);
}

/** Logs failures of the database as one outage: one line at its beginning and one at its end. */
export class DatabaseOutage {
  #current: { readonly since: Instant; failures: number; lastFailureAt: Instant } | null = null;

  constructor(private readonly ports: DatabaseOutagePorts) {}

  failed(cause: unknown, requestId: string): void {
    const { database, clock, log } = this.ports;
    const now = clock.now();
    if (this.#current === null) {
      this.#current = { since: now, failures: 0, lastFailureAt: now };
      log.error({ requestId, code: 'service_unavailable', database, reason: reasonOf(cause), err: cause }, 'requests fail because of the database; further failures are counted until it is back');
    } else {
      log.debug({ requestId, err: cause }, 'a request failed because of the database');
    }
    this.#current.failures += 1;
    this.#current.lastFailureAt = now;
  }

  /** Called after a successful write. */
  succeeded(): void {
    const { database, clock, log } = this.ports;
    const current = this.#current;
    if (current === null || clock.now() - current.lastFailureAt < QUIET_MILLISECONDS) return;
    this.#current = null;
    log.info({ database, failedRequests: current.failures, seconds: Math.round((current.lastFailureAt - current.since) / MILLISECONDS_PER_SECOND) }, 'requests no longer fail because of the database');
  }
}
