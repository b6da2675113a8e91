import { type Clock, isPromised, type ReservationId, type SettleCommand, type Settlement } from '@tollgate/core';
import { OutboxFile } from './outbox-file.js';
import { OutboxHealth } from './outbox-health.js';
import type { OutboxReport } from './outbox-report.js';
import { SETTLEMENT_CODEC } from './settlement-codec.js';

/** Settlements that wait at most for a promise to be given; those of requests that run by then are kept all the same, and are free. */
export const MAX_WAITING_ENTRIES = 100_000;

export interface SettlementQueuePorts {
  /** `null`: nothing can be stored. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly report: OutboxReport;
  readonly maximumWaiting: number;
}

/** Charges and reversals that the ledger has not accepted: in memory, and on the disk as far as it takes them. None is ever discarded for lack of room. */
export class SettlementQueue {
  readonly health: OutboxHealth;
  /** In the order of arrival; one that fails again goes to the end. */
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  readonly #file: OutboxFile<SettleCommand> | null;
  /** Settlements that are being written and do not wait yet: the file must not be emptied meanwhile. */
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

  /** Takes in what an earlier process left. Rejects when the file cannot be read. */
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

  /** The ledger has accepted it. */
  accepted({ reservationId }: SettleCommand, settlement: Settlement): void {
    this.#waiting.delete(reservationId);
    this.ports.report.delivered(reservationId, settlement);
  }

  /** The ledger will never accept it. */
  refused({ reservationId }: SettleCommand, cause: unknown): void {
    this.#waiting.delete(reservationId);
    this.ports.report.dropped(reservationId, cause);
  }

  /** Waits at the end, in memory alone. */
  add(command: SettleCommand): void {
    this.#waiting.delete(command.reservationId);
    this.#waiting.set(command.reservationId, command);
  }

  /** Whether the settlement is on the disk and waits. Without a promise it waits all the same, as long as this process lives. */
  async store(command: SettleCommand, cause: unknown): Promise<boolean> {
    const { report } = this.ports;
    report.kept(command.reservationId, cause);
    const isFull = this.isFull;
    this.#writing += 1;
    const problem = isFull ? { cause: new Error('too many settlements are waiting') } : await this.#append(command);
    // Nothing comes between the two: a turn that finds neither empties the file.
    this.#writing -= 1;
    if (problem === null || !isPromised(command)) this.add(command);
    if (problem !== null) report.notStored(command.reservationId, problem.cause);
    return problem === null;
  }

  /** Waits, and is written as far as the disk takes it: what a failed sync has written all the same must not be charged by the next process. */
  addFree(command: SettleCommand): void {
    this.add(command);
    void this.#append(command);
  }

  /** Finds out whether the file can be written. */
  async probe(): Promise<void> {
    await this.#noting(this.#file?.probe());
  }

  /** Empties the file if nothing waits. */
  async emptyFile(): Promise<void> {
    if (this.#waiting.size > 0 || this.#writing > 0) return;
    await this.#file?.empty().catch((problem: unknown) => this.ports.report.fileProblem(problem));
  }

  #append(command: SettleCommand): Promise<{ readonly cause: unknown } | null> {
    return this.#noting(this.#file?.append(command));
  }

  /** Why the file could not be written; `null` if it was. */
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
