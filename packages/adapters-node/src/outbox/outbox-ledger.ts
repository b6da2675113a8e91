import {
  type AccountId, type Balance, BrokenInvariant, type Checkpoint, type Clock, type CreditCommand, type CreditOutcome, type Instant, type Ledger, type MoneyAct, type MoneyActOutcome,
  type ProcessId, type ReservationId, type ReserveCommand, type ReserveOutcome, type ServiceTokens, type SettleCommand, type Settlement,
} from '@tollgate/core';
import type { OutboxReport } from './outbox-report.js';
import { SettlementFile } from './settlement-file.js';

export const OUTBOX_RETRY_MILLISECONDS = 1000;
/** A ledger that fails so often in a row is taken to be away, and left alone until the next turn. */
const FAILURES_PER_TURN = 3;
const MAXIMUM_WAITING = 100_000;

export interface OutboxPorts {
  readonly ledger: Ledger;
  /** Used by this process alone. */
  readonly file: string;
  readonly clock: Clock;
  readonly report: OutboxReport;
}

/**
 * A ledger that loses no settlement while the one behind it is away: what that one does not take is kept on the disk of this
 * machine, and tried again until it does. Whoever asked is still told of the failure, since the figures are not known yet.
 */
export class OutboxLedger implements Ledger {
  /** In the order they came; one that fails again goes to the end. */
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  readonly #file: SettlementFile;
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxPorts) {
    this.#file = new SettlementFile(ports.file);
  }

  /** Delivers what an earlier process left, as far as the ledger takes it now. Rejects when the file cannot be read. */
  static async open(ports: OutboxPorts): Promise<OutboxLedger> {
    const outbox = new OutboxLedger(ports);
    const { commands, unreadable } = await outbox.#file.read();
    if (unreadable > 0) ports.report.fileProblem(new Error(`${unreadable} settlements in the outbox are damaged and cannot be delivered`));
    for (const command of commands) outbox.#waiting.set(command.reservationId, command);
    if (commands.length > 0) await outbox.deliver();
    return outbox;
  }

  /** Settlements that the ledger has not taken yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  balanceOf(accountId: AccountId): Promise<Balance | null> {
    return this.ports.ledger.balanceOf(accountId);
  }

  credit(command: CreditCommand): Promise<CreditOutcome> {
    return this.ports.ledger.credit(command);
  }

  book(act: MoneyAct): Promise<MoneyActOutcome> {
    return this.ports.ledger.book(act);
  }

  reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    return this.ports.ledger.reserve(command);
  }

  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    return this.ports.ledger.extend(id, amount);
  }

  checkpoint(checkpoint: Checkpoint): Promise<void> {
    return this.ports.ledger.checkpoint(checkpoint);
  }

  sweep(now: Instant): Promise<number> {
    return this.ports.ledger.sweep(now);
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.ports.ledger.retire(ownerId);
  }

  /** Rejects as the ledger behind it does; by then the settlement is on the disk and going to be delivered. */
  async settle(command: SettleCommand): Promise<Settlement> {
    try {
      return await this.ports.ledger.settle(command);
    } catch (failure) {
      if (!(failure instanceof BrokenInvariant)) await this.#keep(command, failure);
      throw failure;
    }
  }

  /** Tries what waits, once; resolves when the turn is over, whatever came of it. */
  deliver(): Promise<void> {
    this.#turn ??= this.#deliverAll().finally(() => {
      this.#turn = null;
      this.#schedule();
    });
    return this.#turn;
  }

  /** Tries once more, unless that is being done, and stops at the first failure; what still waits is delivered by the next process that opens the file. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    if (this.#waiting.size > 0) await this.deliver();
  }

  async #keep(command: SettleCommand, cause: unknown): Promise<void> {
    const { reservationId } = command;
    const { report } = this.ports;
    if (this.#waiting.has(reservationId)) return;
    if (this.#waiting.size >= MAXIMUM_WAITING) return report.dropped(reservationId, cause);
    this.#waiting.set(reservationId, command);
    report.kept(reservationId, cause);
    await this.#file.append(command).catch((problem: unknown) => report.notStored(reservationId, problem));
    if (this.#turn === null) this.#schedule();
  }

  /** A process that wants to end does not wait for a ledger that is away. */
  get #failuresPerTurn(): number {
    return this.#closed ? 1 : FAILURES_PER_TURN;
  }

  #schedule(): void {
    this.#cancel();
    if (this.#closed || this.#waiting.size === 0) return;
    this.#cancel = this.ports.clock.schedule(OUTBOX_RETRY_MILLISECONDS, () => void this.deliver());
  }

  async #deliverAll(): Promise<void> {
    let failuresInARow = 0;
    // What fails goes to the end of the map while this runs, and is not to be tried twice.
    const commands = Array.from(this.#waiting.values());
    for (const command of commands) {
      failuresInARow = await this.#tryOne(command) ? 0 : failuresInARow + 1;
      if (failuresInARow >= this.#failuresPerTurn) return;
    }
    if (this.#waiting.size === 0) await this.#file.empty().catch((problem: unknown) => this.ports.report.fileProblem(problem));
  }

  /** Whether the ledger has answered for it, one way or the other. */
  async #tryOne(command: SettleCommand): Promise<boolean> {
    const { reservationId } = command;
    const { ledger, clock, report } = this.ports;
    try {
      const settlement = await ledger.settle({ ...command, at: clock.now() });
      this.#waiting.delete(reservationId);
      report.delivered(reservationId, settlement);
      return true;
    } catch (failure) {
      this.#waiting.delete(reservationId);
      if (failure instanceof BrokenInvariant) report.dropped(reservationId, failure);
      else this.#waiting.set(reservationId, command);
      return failure instanceof BrokenInvariant;
    }
  }
}
