import type { Clock, Instant, LedgerAudit, LedgerDifference } from '@tollgate/core';
import type { Logger } from 'pino';
import { repeat } from './repeat.js';

interface ReconcilerPorts {
  readonly ledgerAudit: LedgerAudit;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What the last check of the books came to. */
export interface Reconciliation {
  readonly differences: number;
  /** The first of them. */
  readonly named: readonly LedgerDifference[];
  readonly accounts: number;
  readonly entries: number;
  readonly usageRecords: number;
  readonly startedAt: Instant;
  /** When it was done. */
  readonly at: Instant;
}

/** Differences named in the log and to operators: enough to begin a search. */
const NAMED_DIFFERENCES = 10;

/** Recomputes the books from time to time, so that a difference is reported before an operator runs a check. */
export class Reconciler {
  #last: Reconciliation | null = null;
  #failures = 0;
  /** The check under way, and since when. */
  #running: { readonly since: Instant; readonly done: Promise<void> } | null = null;
  #intervalMilliseconds: number | null = null;
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

  /** Since when a check is under way; `null` when none is. */
  get runningSince(): Instant | null {
    return this.#running?.since ?? null;
  }

  /** `null` when the books are checked on demand alone. */
  get intervalMilliseconds(): number | null {
    return this.#intervalMilliseconds;
  }

  /** Checks for the first time after one interval; with `null` on demand alone. */
  start(intervalMilliseconds: number | null): void {
    this.#intervalMilliseconds = intervalMilliseconds;
    if (intervalMilliseconds === null) return;
    this.#stop = repeat({ clock: this.ports.clock, intervalMilliseconds, task: () => this.check(), onFailure: () => undefined });
  }

  /** Checks now, beside the requests, or joins the check under way: there is one at a time. Resolves when it is over; a failure is logged and counted. */
  check(): Promise<void> {
    this.#running ??= { since: this.ports.clock.now(), done: this.run() };
    return this.#running.done;
  }

  /** Waits for a check under way. */
  async stop(): Promise<void> {
    await this.#stop();
    await this.#running?.done;
  }

  private async run(): Promise<void> {
    try {
      await this.reconcile();
    } catch (err) {
      this.#failures += 1;
      this.ports.log.error({ err }, 'the check of the books failed');
    } finally {
      this.#running = null;
    }
  }

  private async reconcile(): Promise<void> {
    const { ledgerAudit, clock, log } = this.ports;
    const startedAt = clock.now();
    const { differences, accounts, entries, usageRecords } = await ledgerAudit.verify();
    const named = differences.slice(0, NAMED_DIFFERENCES);
    this.#last = { differences: differences.length, named, accounts, entries, usageRecords, startedAt, at: clock.now() };
    if (differences.length === 0) log.debug({ accounts, usageRecords }, 'the books were checked');
    else log.error({ differences: named, count: differences.length }, 'the check of the books found differences');
  }
}
