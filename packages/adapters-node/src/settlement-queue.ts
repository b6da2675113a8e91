import { type Clock, isPromised, type ReservationId, type SettleCommand, type Settlement } from '@tollgate/core';
import { OutboxFile } from './outbox-file.js';
import { OutboxHealth } from './outbox-health.js';
import type { OutboxReport } from './outbox-report.js';
import { SETTLEMENT_CODEC } from './settlement-codec.js';

/**
 * Maximum number of waiting settlements. Once it is reached, a further settlement is not answered as pending: its request is free, and its reversal
 * waits in addition to the maximum.
 */
export const MAX_WAITING_ENTRIES = 100_000;

export interface SettlementQueuePorts {
  /** File for waiting settlements. With `null` nothing is stored: settlements without a maximum charge wait in memory, others are refused. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly report: OutboxReport;
  readonly maximumWaiting: number;
}

/**
 * Charges and reversals that the ledger has not accepted yet: in memory, and on disk if possible. They wait until the ledger accepts or finally
 * refuses them.
 */
export class SettlementQueue {
  readonly health: OutboxHealth;
  /** Ordered by arrival; failed ones move to the end. */
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  readonly #file: OutboxFile<SettleCommand> | null;
  /** Appends in progress: the file must not be emptied meanwhile. */
  #writing = 0;

  constructor(private readonly ports: SettlementQueuePorts) {
    this.#file = ports.file === null ? null : new OutboxFile(ports.file, SETTLEMENT_CODEC);
    this.health = new OutboxHealth({ clock: ports.clock, report: ports.report, probe: () => void this.probe(), isFull: () => this.isFull });
  }

  get isFull(): boolean {
    return this.#waiting.size + this.#writing >= this.ports.maximumWaiting;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Reads settlements of an earlier process. Rejects if the file cannot be read. */
  async read(): Promise<void> {
    const { items, unreadable } = await this.#file?.read() ?? { items: [], unreadable: 0 };
    if (unreadable > 0) this.ports.report.fileProblem(new Error(`${unreadable} settlements in the outbox are damaged and cannot be delivered`));
    for (const command of items) this.#waiting.set(command.reservationId, command);
  }

  find(id: ReservationId): SettleCommand | null {
    return this.#waiting.get(id) ?? null;
  }

  values(): readonly SettleCommand[] {
    return [...this.#waiting.values()];
  }

  accepted({ reservationId }: SettleCommand, settlement: Settlement): void {
    this.#waiting.delete(reservationId);
    this.ports.report.delivered(reservationId, settlement);
  }

  refused({ reservationId }: SettleCommand, cause: unknown): void {
    this.#waiting.delete(reservationId);
    this.ports.report.dropped(reservationId, cause);
  }

  /** Queues in memory only. */
  add(command: SettleCommand): void {
    this.#waiting.delete(command.reservationId);
    this.#waiting.set(command.reservationId, command);
  }

  /** True if the settlement is queued and synced. Otherwise it is queued in memory only, or not at all if it has a maximum charge. */
  async store(command: SettleCommand, cause: unknown): Promise<boolean> {
    const { report } = this.ports;
    report.kept(command.reservationId, cause);
    const isFull = this.isFull;
    this.#writing += 1;
    const problem = isFull ? { cause: new Error('too many settlements are waiting') } : await this.#append(command);
    // Nothing awaits between here and `add`: a delivery in between could find no settlement that waits or is being written, and would empty the file.
    this.#writing -= 1;
    if (problem === null || !isPromised(command)) this.add(command);
    if (problem !== null) report.notStored(command.reservationId, problem.cause);
    return problem === null;
  }

  /**
   * Queues a free settlement in memory, and tries to write it after the charged one whose write failed: if that one is on disk nevertheless, the next
   * process must not charge it.
   */
  addFree(command: SettleCommand): void {
    this.add(command);
    void this.#append(command);
  }

  async probe(): Promise<void> {
    await this.#noting(this.#file?.probe());
  }

  /** Empties the file only if no settlement waits. */
  async emptyFile(): Promise<void> {
    if (this.#waiting.size > 0 || this.#writing > 0) return;
    await this.#file?.empty().catch((problem: unknown) => this.ports.report.fileProblem(problem));
  }

  #append(command: SettleCommand): Promise<{ readonly cause: unknown } | null> {
    return this.#noting(this.#file?.append(command));
  }

  /** `null` for success. */
  async #noting(work: Promise<void> | undefined): Promise<{ readonly cause: unknown } | null> {
    try {
      if (work === undefined) throw new Error('there is no outbox file for settlements');
      await work;
      this.health.fileWorked();
      return null;
    } catch (cause) {
      this.health.fileFailed(cause);
      return { cause };
    }
  }
}
