import {
  type AccountId, type Balance, BrokenInvariant, type Checkpoint, type Clock, type CreditCommand, type CreditOutcome, type Instant,
  type LeaseRenewal, type Ledger, isPromised, type MoneyAct, type MoneyActOutcome, pendingSettlement, type ProcessId, type ReservationId, type ReserveCommand, type ReserveOutcome,
  ReversalRefused, ServiceTokens, type SettleCommand, type Settlement, type SettlementHold, settlePromised, SettlementRefused, type SweptReservations, withPromise,
} from '@tollgate/core';
import { MissedReservations } from './missed-reservations.js';
import { type OutboxCodec, OutboxFile } from './outbox-file.js';
import type { OutboxReport } from './outbox-report.js';

export const OUTBOX_RETRY_MILLISECONDS = 1000;
/** After this many failures in a row the ledger counts as unavailable until the next attempt. */
const FAILURES_PER_TURN = 3;
export const MAXIMUM_WAITING = 100_000;
/** Reservations to give back; those beyond are left to the sweeper. */
const MAXIMUM_RELEASES = 10_000;

export interface OutboxPorts {
  readonly ledger: Ledger;
  /** Used by this process alone; `null`: nothing can be stored. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly report: OutboxReport;
}

/** JSON has no amounts: they stand as decimal texts. */
interface StoredSettlement extends Omit<SettleCommand, 'atMost' | 'hold'> {
  readonly atMost?: string;
  readonly hold?: Omit<SettlementHold, 'amount'> & { readonly amount: string };
}

const CODEC: OutboxCodec<SettleCommand> = {
  encode: ({ atMost = null, hold, ...command }) => JSON.stringify({
    ...command, ...(atMost === null ? {} : { atMost: atMost.toString() }), ...(hold === undefined ? {} : { hold: { facts: namedFacts(hold), amount: hold.amount.toString() } }),
  } satisfies StoredSettlement),
  decode: (json) => {
    const { atMost, hold, ...command } = JSON.parse(json) as StoredSettlement;
    return {
      ...command, ...(atMost === undefined ? {} : { atMost: ServiceTokens.parse(atMost) }),
      ...(hold === undefined ? {} : { hold: { facts: hold.facts, amount: ServiceTokens.parse(hold.amount) } }),
    };
  },
};

function namedFacts({ facts: { requestId, accountId, usdPerServiceToken } }: SettlementHold): SettlementHold['facts'] {
  return { requestId, accountId, usdPerServiceToken };
}

/**
 * A ledger that loses no settlement while the ledger behind it is unavailable: a settlement that fails is stored on the disk of this
 * machine and tried again until it succeeds. Once it is stored, and its command says what is held, it is answered as pending, with a charge
 * that later bookings never exceed. What cannot be stored is rejected and free, and reversed if it took effect all the same.
 */
export class OutboxLedger implements Ledger {
  /** Charges and reversals, in the order of arrival; one that fails again goes to the end. */
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  /** Endings that cost nothing; not on the disk, since a lease that runs out gives their reservations back too. Those of which a sweep may have charged a checkpoint wait with the charges. */
  readonly #releases = new Map<ReservationId, SettleCommand>();
  readonly #missed: MissedReservations;
  readonly #file: OutboxFile<SettleCommand> | null;
  /** Settlements that are being written and do not wait yet: the file must not be emptied meanwhile. */
  #writing = 0;
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxPorts) {
    this.#missed = new MissedReservations(ports.clock);
    this.#file = ports.file === null ? null : new OutboxFile(ports.file, CODEC);
  }

  /** Delivers what an earlier process left, as far as the ledger accepts it now. Rejects when the file cannot be read. */
  static async open(ports: OutboxPorts): Promise<OutboxLedger> {
    const outbox = new OutboxLedger(ports);
    const { items, unreadable } = await outbox.#file?.read() ?? { items: [], unreadable: 0 };
    if (unreadable > 0) ports.report.fileProblem(new Error(`${unreadable} settlements in the outbox are damaged and cannot be delivered`));
    for (const command of items) outbox.#waiting.set(command.reservationId, command);
    if (items.length > 0) await outbox.deliver();
    return outbox;
  }

  /** Reservations to give back that the ledger has not accepted yet. */
  get releasesWaiting(): number {
    return this.#releases.size;
  }

  /** Charges that the ledger has not accepted yet. */
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

  /** Answers with a pending settlement once that is stored. If it rejects with `SettlementRefused`, the request is free. */
  async settle(given: SettleCommand): Promise<Settlement> {
    const command = withPromise(given);
    try {
      return await (isPromised(command) ? settlePromised(this.ports.ledger, command, command.at ?? command.ending.endedAt) : this.ports.ledger.settle(command));
    } catch (failure) {
      if (command.ending.service === null) await this.#releaseAfter(command, failure);
      else if (failure instanceof BrokenInvariant) throw failure;
      else if (command.hold === undefined) await this.#store(command, failure);
      else return this.#promise(command, command.hold, failure);
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
    if (this.#waiting.size + this.#releases.size > 0) await this.deliver();
  }

  /** Stores what the receipt promises. Nothing is promised before it is on the disk. */
  async #promise(command: SettleCommand, hold: SettlementHold, failure: unknown): Promise<Settlement> {
    const pending = pendingSettlement(command, hold);
    if (await this.#store({ ...command, atMost: pending.charge.amount }, failure)) return pending;
    const free = { ...command, atMost: ServiceTokens.ZERO };
    this.#enqueue(free);
    // What a failed sync has written all the same must not be charged by the next process.
    void this.#file?.append(free).catch(() => undefined);
    throw new SettlementRefused(failure);
  }

  /** Whether the settlement is on the disk and will be delivered. Without a promise it is delivered as long as this process lives all the same. */
  async #store(command: SettleCommand, cause: unknown): Promise<boolean> {
    const { reservationId } = command;
    const { report } = this.ports;
    if (this.#waiting.has(reservationId)) return true;
    if (this.#waiting.size >= MAXIMUM_WAITING) {
      report.dropped(reservationId, cause);
      return false;
    }
    report.kept(reservationId, cause);
    this.#writing += 1;
    const stored = await this.#append(command);
    this.#writing -= 1;
    if (stored || !isPromised(command)) this.#enqueue(command);
    return stored;
  }

  async #append(command: SettleCommand): Promise<boolean> {
    try {
      if (this.#file === null) throw new Error('there is no file for settlements');
      await this.#file.append(command);
      return true;
    } catch (problem) {
      this.ports.report.notStored(command.reservationId, problem);
      return false;
    }
  }

  #enqueue(command: SettleCommand): void {
    if (this.#waiting.size < MAXIMUM_WAITING) this.#waiting.set(command.reservationId, command);
    if (this.#turn === null) this.#schedule();
  }

  /** The end of what a sweep may have charged is stored, so that it is given back by the next process too. */
  async #releaseAfter(command: SettleCommand, failure: unknown): Promise<void> {
    if (command.hold?.isCheckpointed !== true || !await this.#store(command, failure)) this.#releaseLater(command);
  }

  #releaseLater(command: SettleCommand): void {
    if (this.#releases.size < MAXIMUM_RELEASES) this.#releases.set(command.reservationId, command);
    if (this.#turn === null) this.#schedule();
  }

  /** A process that stops does not wait for an unavailable ledger. */
  get #failuresPerTurn(): number {
    return this.#closed ? 1 : FAILURES_PER_TURN;
  }

  #schedule(): void {
    this.#cancel();
    if (this.#closed || this.#waiting.size + this.#releases.size === 0) return;
    this.#cancel = this.ports.clock.schedule(OUTBOX_RETRY_MILLISECONDS, () => void this.deliver());
  }

  async #deliverAll(): Promise<void> {
    let failuresInARow = 0;
    // A settlement that fails goes to the end of the map, and must not be tried twice in one pass.
    const turns = [this.#waiting, this.#releases].flatMap((queue) => Array.from(queue.values(), (command) => ({ queue, command })));
    for (const { queue, command } of turns) {
      failuresInARow = await this.#tryOne(queue, command) ? 0 : failuresInARow + 1;
      if (failuresInARow >= this.#failuresPerTurn) return;
    }
    if (this.#waiting.size === 0 && this.#writing === 0) await this.#file?.empty().catch((problem: unknown) => this.ports.report.fileProblem(problem));
  }

  /** Whether the ledger has accepted the settlement or refused it for ever. */
  async #tryOne(queue: Map<ReservationId, SettleCommand>, command: SettleCommand): Promise<boolean> {
    const { reservationId } = command;
    const { ledger, clock, report } = this.ports;
    try {
      const settlement = isPromised(command) ? await settlePromised(ledger, command, clock.now()) : await ledger.settle({ ...command, at: clock.now() });
      queue.delete(reservationId);
      this.#missed.forget(reservationId);
      if (queue === this.#waiting) report.delivered(reservationId, settlement);
      return true;
    } catch (failure) {
      const isRefused = failure instanceof BrokenInvariant;
      queue.delete(reservationId);
      const isReversalRefused = failure instanceof ReversalRefused;
      if (!isRefused || (queue === this.#releases && !isReversalRefused && this.#missed.mayAppear(reservationId))) queue.set(reservationId, command);
      else if (queue === this.#waiting || isReversalRefused) report.dropped(reservationId, failure);
      return isRefused;
    }
  }
}
