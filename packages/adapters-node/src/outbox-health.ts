import { type Clock, type Instant, later, storeRefusal, StoreUnavailable } from '@tollgate/core';
import type { OutboxReport } from './outbox-report.js';

/** Delay of the probe of a failed file; the refusal of a reservation schedules it. */
export const PROBE_MILLISECONDS = 100;
/** Interval at which one reservation is admitted as a trial: a settlement that the ledger never accepts must not block reservations forever. */
export const TRIAL_MILLISECONDS = 10_000;

export interface OutboxHealthPorts {
  readonly clock: Clock;
  readonly report: Pick<OutboxReport, 'fileFailing' | 'fileWorks'>;
  /** Writes to the file and reports the outcome by `fileWorked` or `fileFailed`. */
  readonly probe: () => void;
  readonly isFull: () => boolean;
}

/** Tracks whether requests can be charged: either the ledger accepts settlements, or the outbox can queue them. */
export class OutboxHealth {
  #fileProblem: { readonly cause: unknown } | null = null;
  /**
   * Time of the last settlement that failed (retries excepted) or of the last trial. `null` once the ledger has accepted or finally refused a
   * settlement.
   */
  #ledgerFailedAt: Instant | null = null;
  #cancelProbe: (() => void) | null = null;

  constructor(private readonly ports: OutboxHealthPorts) {}

  /** True if the file cannot be written or synced, or too many settlements wait. */
  get isOutboxFailing(): boolean {
    return this.#fileProblem !== null || this.ports.isFull();
  }

  get isFileFailing(): boolean {
    return this.#fileProblem !== null;
  }

  get isRefusing(): boolean {
    return this.#ledgerFailedAt !== null && this.isOutboxFailing;
  }

  fileWorked(): void {
    if (this.#fileProblem !== null) this.ports.report.fileWorks();
    this.#fileProblem = null;
  }

  fileFailed(cause: unknown): void {
    if (this.#fileProblem === null) this.ports.report.fileFailing(cause);
    this.#fileProblem = { cause };
  }

  ledgerAnswered(): void {
    this.#ledgerFailedAt = null;
  }

  ledgerFailed(): void {
    this.#ledgerFailedAt = this.ports.clock.now();
  }

  /** Throws `service_unavailable` while neither ledger nor outbox accepts settlements, except for one trial every 10 seconds. */
  assertChargeable(): void {
    if (this.#ledgerFailedAt === null || !this.isOutboxFailing) return;
    const now = this.ports.clock.now();
    if (now >= later(this.#ledgerFailedAt, TRIAL_MILLISECONDS)) {
      this.#ledgerFailedAt = now;
      return;
    }
    if (this.#fileProblem !== null) this.#probeSoon();
    throw storeRefusal(new StoreUnavailable(this.#fileProblem?.cause ?? new Error('too many settlements are waiting'), 'neither the database nor the outbox accepts settlements'));
  }

  close(): void {
    this.#cancelProbe?.();
    this.#cancelProbe = null;
  }

  #probeSoon(): void {
    this.#cancelProbe ??= this.ports.clock.schedule(PROBE_MILLISECONDS, () => {
      this.#cancelProbe = null;
      this.ports.probe();
    });
  }
}
