import type { Clock, Instant, LedgerAudit } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

export interface ReconcilerPorts {
  readonly ledgerAudit: LedgerAudit;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What the last check of the books came to. */
export interface Reconciliation {
  readonly differences: number;
  readonly at: Instant;
}

/** Differences named in the log: enough to begin a search. */
const NAMED_DIFFERENCES = 10;

/** Recomputes the books from time to time, so that a difference shows before anybody asks. */
export class Reconciler {
  #last: Reconciliation | null = null;
  #failures = 0;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: ReconcilerPorts) {}

  /** `null` until the books were checked for the first time. */
  get last(): Reconciliation | null {
    return this.#last;
  }

  /** Checks that could not be carried out. */
  get failures(): number {
    return this.#failures;
  }

  /** Checks for the first time after one interval; with `null` never. */
  start(intervalMilliseconds: number | null): void {
    if (intervalMilliseconds === null) return;
    const { clock, log } = this.ports;
    this.#stop = every({
      clock,
      intervalMilliseconds,
      task: () => this.reconcile(),
      onFailure: (err) => {
        this.#failures += 1;
        log.error({ err }, 'the books could not be checked');
      },
    });
  }

  /** Waits for a check under way. */
  stop(): Promise<void> {
    return this.#stop();
  }

  private async reconcile(): Promise<void> {
    const { ledgerAudit, clock, log } = this.ports;
    const { differences, accounts, usageRecords } = await ledgerAudit.verify();
    this.#last = { differences: differences.length, at: clock.now() };
    if (differences.length === 0) log.debug({ accounts, usageRecords }, 'the books were checked');
    else log.error({ differences: differences.slice(0, NAMED_DIFFERENCES), count: differences.length }, 'the books do not agree');
  }
}
