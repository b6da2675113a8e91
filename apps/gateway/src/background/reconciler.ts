import type { Clock, Instant, LedgerAudit, LedgerDifference } from '@tollgate/core';
import type { Logger } from 'pino';
import { repeat } from './repeat.js';

interface ReconcilerPorts {
  readonly ledgerAudit: LedgerAudit;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Reconciliation {
  readonly differences: number;
  /** The first differences, at most `NAMED_DIFFERENCES`. */
  readonly named: readonly LedgerDifference[];
  readonly accounts: number;
  readonly entries: number;
  readonly usageRecords: number;
  readonly startedAt: Instant;
  readonly at: Instant;
}

/** Maximum number of differences that are listed in the log and for operators. */
const NAMED_DIFFERENCES = 10;

/** Verifies the books periodically. */
export class Reconciler {
  #last: Reconciliation | null = null;
  #failures = 0;
  #running: { readonly since: Instant; readonly done: Promise<void> } | null = null;
  #intervalMilliseconds: number | null = null;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: ReconcilerPorts) {}

  /** `null` before the first check. */
  get last(): Reconciliation | null {
    return this.#last;
  }

  /** Number of checks since the start that could not be completed. */
  get failures(): number {
    return this.#failures;
  }

  /** `null` if no check is running. */
  get runningSince(): Instant | null {
    return this.#running?.since ?? null;
  }

  /** `null` for checks on demand only. */
  get intervalMilliseconds(): number | null {
    return this.#intervalMilliseconds;
  }

  /** Reconciles first after one interval; `null` allows checks on demand only. */
  start(intervalMilliseconds: number | null): void {
    this.#intervalMilliseconds = intervalMilliseconds;
    if (intervalMilliseconds === null) return;
    this.#stop = repeat({ clock: this.ports.clock, intervalMilliseconds, task: () => this.check(), onFailure: () => undefined });
  }

  /** Joins a running check, or starts one. Resolves at its end; a failure is logged and counted. */
  check(): Promise<void> {
    this.#running ??= { since: this.ports.clock.now(), done: this.run() };
    return this.#running.done;
  }

  /** Ends the schedule, and waits for a running check. */
  async stop(): Promise<void> {
    await this.#stop();
    await this.#running?.done;
  }

  private async run(): Promise<void> {
    try {
      await this.reconcile();
    } catch (err) {
      this.#failures += 1;
      this.ports.log.error({ err }, 'the ledger check could not be completed');
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
    if (differences.length === 0) log.debug({ accounts, usageRecords }, 'the ledger was checked');
    else log.error({ differences: named, count: differences.length }, 'the ledger check found differences');
  }
}
