import {
  type AccountId, type Balance, BrokenInvariant, type Checkpoint, type Clock, type CreditCommand, type CreditOutcome, type Instant,
  type LeaseRenewal, type Ledger, type MoneyAct, type MoneyActOutcome, type ProcessId, type ReservationId, type ReserveCommand, type ReserveOutcome,
  type ServiceTokens, type SettleCommand, type Settlement, type SweptReservations,
} from '@tollgate/core';
import { SettlementFile } from './settlement-file.js';

export const OUTBOX_RETRY_MILLISECONDS = 1000;
/** After this many failures in a row the ledger counts as unavailable until the next attempt. */
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
 * A ledger that loses no settlement while the ledger behind it is unavailable: a settlement that fails is kept on the disk of this
 * machine and tried again until it succeeds. The caller still gets the failure, since the figures are not known yet.
 */
export class OutboxLedger implements Ledger {
  /** In the order of arrival; one that fails again goes to the end. */
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  readonly #file: SettlementFile;
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxPorts) {
    this.#file = new SettlementFile(ports.file);
  }

  /** Delivers what an earlier process left, as far as the ledger accepts it now. Rejects when the file cannot be read. */
  static async open(ports: OutboxPorts): Promise<OutboxLedger> {
    const outbox = new OutboxLedger(ports);
    const { commands, unreadable } = await outbox.#file.read();
    if (unreadable > 0) ports.report.fileProblem(new Error(`${unreadable} settlements in the outbox are damaged and cannot be delivered`));
    for (const command of commands) outbox.#waiting.set(command.reservationId, command);
    if (commands.length > 0) await outbox.deliver();
    return outbox;
  }

  /** Settlements that the ledger has not accepted yet. */
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

  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal> {
    return this.ports.ledger.checkpoint(checkpoint);
  }

  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<number> {
    return this.ports.ledger.sweep(now, onSwept);
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.ports.ledger.retire(ownerId);
  }

  /** Rejects as the ledger behind it does; by then the settlement is on the disk and will be delivered. */
  async settle(command: SettleCommand): Promise<Settlement> {
    try {
      return await this.ports.ledger.settle(command);
    } catch (failure) {
      if (!(failure instanceof BrokenInvariant)) await this.#keep(command, failure);
      throw failure;
    }
  }

  /** Tries each waiting settlement once; resolves when all were tried, whether or not they succeeded. */
  deliver(): Promise<void> {
    this.#turn ??= this.#deliverAll().finally(() => {
      this.#turn = null;
      this.#schedule();
    });
    return this.#turn;
  }

  /** Tries once more, unless an attempt is running, and stops at the first failure; the next process that opens the file delivers the rest. */
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

  /** A process that stops does not wait for an unavailable ledger. */
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
    // A settlement that fails goes to the end of the map, and must not be tried twice in one pass.
    const commands = Array.from(this.#waiting.values());
    for (const command of commands) {
      failuresInARow = await this.#tryOne(command) ? 0 : failuresInARow + 1;
      if (failuresInARow >= this.#failuresPerTurn) return;
    }
    if (this.#waiting.size === 0) await this.#file.empty().catch((problem: unknown) => this.ports.report.fileProblem(problem));
  }

  /** Whether the ledger has accepted the settlement or refused it for ever. */
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

/** Receives the events of the outbox, for logs and metrics. Its methods return at once and never throw. */
export interface OutboxReport {
  /** The ledger rejected a settlement; the outbox keeps it and tries again. */
  kept(reservationId: ReservationId, cause: unknown): void;
  /** The settlement could not be written to the disk; the outbox tries again as long as this process lives. */
  notStored(reservationId: ReservationId, cause: unknown): void;
  /** The ledger has accepted the settlement. */
  delivered(reservationId: ReservationId, settlement: Settlement): void;
  /** The ledger can never accept the settlement, or too many wait; the sweeper ends the reservation, if there is one. */
  dropped(reservationId: ReservationId, cause: unknown): void;
  /** The file could not be read to its end, or not be emptied. */
  fileProblem(problem: unknown): void;
}

export const SILENT_OUTBOX_REPORT: OutboxReport = {
  kept: () => undefined,
  notStored: () => undefined,
  delivered: () => undefined,
  dropped: () => undefined,
  fileProblem: () => undefined,
};
