import {
  type AccountId, type Balance, type Booked, BrokenInvariant, type Checkpoint, type Clock, type CreditCommand, type CreditOutcome, type ForgottenReservations, type Instant,
  isPromised, type LeaseRenewal, type Ledger, type MoneyAct, type MoneyActOutcome, pendingSettlement, type ProcessId, type Prolongation, type ReservationId, type ReserveCommand,
  type ReserveOutcome, ServiceTokens, type SettleCommand, type SettlementHold, type SettleOutcome, settlePromised, SettlementRefused, type SweptReservations, withPromise,
} from '@tollgate/core';
import { answerOf, isAnswered } from './answered-settlement.js';
import type { OutboxReport } from './outbox-report.js';
import { ReleaseQueue } from './release-queue.js';
import { MAX_WAITING_ENTRIES, SettlementQueue } from './settlement-queue.js';

export const OUTBOX_RETRY_MILLISECONDS = 1000;
/** Consecutive failures after which the ledger counts as unavailable until the next attempt. */
const FAILURES_PER_TURN = 3;

/**
 * `succeeded` is called when the ledger accepts a settlement or answers a reservation, even with `insufficient`; `failed` when it fails to answer
 * either. Neither is called for a command that it refuses as invalid, by `BrokenInvariant`. `accountId` is `null` if a settlement does not name its
 * account.
 */
export interface LedgerWatch {
  succeeded(accountId: AccountId | null): void;
  failed(accountId: AccountId | null): void;
}

export interface OutboxPorts {
  readonly ledger: Ledger;
  /**
   * File for this process alone. With `null` nothing is stored: while the ledger is unavailable, settlements with a hold are refused, and others wait
   * in memory only.
   */
  readonly file: string | null;
  readonly clock: Clock;
  readonly report: OutboxReport;
  readonly watch?: LedgerWatch;
  /** Default `MAX_WAITING_ENTRIES`. */
  readonly maximumWaiting?: number;
}

/**
 * Queues settlements while the ledger is unavailable: a failed settlement is synced to the local disk and retried. If its command has a hold, it is
 * then answered as pending, with a maximum charge that later bookings never exceed. If one with a hold cannot be stored, it is rejected and the
 * request is free; a charge that took effect nevertheless is reversed. A settlement without a hold is rejected, but still retried. While settlements
 * can be neither booked nor stored, reservations are refused. While a settlement waits, a repetition of it gets the same answer.
 */
export class OutboxLedger implements Ledger {
  readonly #queue: SettlementQueue;
  readonly #releases: ReleaseQueue;
  /** Settlements being stored, so that concurrent repetitions share the answer. */
  readonly #promises = new Map<ReservationId, Promise<SettleOutcome>>();
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxPorts) {
    this.#releases = new ReleaseQueue(ports.clock, ports.report);
    this.#queue = new SettlementQueue({ ...ports, maximumWaiting: ports.maximumWaiting ?? MAX_WAITING_ENTRIES });
  }

  /** Delivers settlements of an earlier process as far as the ledger accepts them. Rejects if the file cannot be read. */
  static async open(ports: OutboxPorts): Promise<OutboxLedger> {
    const outbox = new OutboxLedger(ports);
    await outbox.#queue.read();
    if (outbox.waiting > 0) await outbox.deliver();
    return outbox;
  }

  /** Number of releases that the ledger has not accepted yet. */
  get releasesWaiting(): number {
    return this.#releases.size;
  }

  /** Number of releases left to the sweeper, because too many waited. */
  get releasesDropped(): number {
    return this.#releases.dropped;
  }

  /** Number of charges and reversals that the ledger has not accepted yet. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** True if the file cannot be written or synced, or too many settlements wait. */
  get isFailing(): boolean {
    return this.#queue.health.isOutboxFailing;
  }

  /** True if neither ledger nor outbox accepts settlements, so that reservations are refused. */
  get isRefusing(): boolean {
    return this.#queue.health.isRefusing;
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

  /** Rejects with `service_unavailable` while neither ledger nor outbox accepts settlements, except for one trial every 10 seconds. */
  async reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    const { ledger, watch } = this.ports;
    this.#queue.health.assertChargeable();
    try {
      const outcome = await ledger.reserve(command);
      watch?.succeeded(command.facts.accountId);
      return outcome;
    } catch (failure) {
      if (!(failure instanceof BrokenInvariant)) watch?.failed(command.facts.accountId);
      throw failure;
    }
  }

  /** Rejects with `service_unavailable` as `reserve` does. */
  async extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    this.#queue.health.assertChargeable();
    return this.ports.ledger.extend(id, amount);
  }

  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal> {
    return this.ports.ledger.checkpoint(checkpoint);
  }

  prolong(prolongation: Prolongation): Promise<void> {
    return this.ports.ledger.prolong(prolongation);
  }

  sweep(now: Instant, onSwept?: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    return this.ports.ledger.sweep(now, onSwept);
  }

  /** Does not sweep reservations whose ends wait in the outbox, since these will be delivered. */
  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]> {
    const waits = (id: ReservationId): boolean => this.#queue.find(id) !== null || this.#releases.has(id) || this.#promises.has(id);
    return this.ports.ledger.sweepForgotten({ ...forgotten, isKnown: (id) => forgotten.isKnown(id) || waits(id) });
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.ports.ledger.retire(ownerId);
  }

  /**
   * If the ledger fails, a settlement with a hold resolves as pending once it is stored. Rejects with `SettlementRefused` if the request is free, and
   * with the ledger's failure for a release and for a settlement without a hold, which are retried nevertheless, and for an invalid settlement.
   */
  async settle(given: SettleCommand): Promise<SettleOutcome> {
    const command = withPromise(given);
    const { reservationId, ending, hold } = command;
    const earlier = this.#promises.get(reservationId) ?? this.#queue.find(reservationId);
    if (earlier instanceof Promise) return earlier;
    if (isAnswered(earlier)) return answerOf(earlier);
    try {
      const settlement = await this.#book(command);
      this.#accepted(command);
      return settlement;
    } catch (failure) {
      this.#failed(command, failure);
      if (!(failure instanceof BrokenInvariant)) this.#queue.health.ledgerFailed();
      if (ending.service === null) await this.#releaseAfter(command, failure);
      else if (failure instanceof BrokenInvariant) throw failure;
      else if (hold !== undefined) return this.#promiseOnce(command, hold, failure);
      else if (earlier === null) await this.#queue.store(command, failure);
      this.#scheduleUnlessDelivering();
      throw failure;
    }
  }

  /** Tries each waiting settlement and release once. Stops after three failures in a row. */
  deliver(): Promise<void> {
    this.#turn ??= this.#deliverAll().finally(() => {
      this.#turn = null;
      this.#schedule();
    });
    return this.#turn;
  }

  /**
   * Waits for the attempt that is running, or makes a last one; it stops at the first failure. The settlements that still wait stay in the file for
   * the next process.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    this.#queue.health.close();
    if (this.waiting + this.#releases.size > 0) await this.deliver();
  }

  #promiseOnce(command: SettleCommand, hold: SettlementHold, failure: unknown): Promise<SettleOutcome> {
    const { reservationId } = command;
    const given = this.#promises.get(reservationId) ?? this.#promise(command, hold, failure).finally(() => this.#promises.delete(reservationId));
    this.#promises.set(reservationId, given);
    return given;
  }

  /** Resolves once the pending settlement is synced to disk. Rejects with `SettlementRefused` if it cannot be stored. */
  async #promise(command: SettleCommand, hold: SettlementHold, failure: unknown): Promise<SettleOutcome> {
    const earlier = this.#queue.find(command.reservationId);
    if (isAnswered(earlier)) return answerOf(earlier);
    const pending = pendingSettlement(command, hold);
    const isStored = await this.#queue.store({ ...command, atMost: pending.charge.amount }, failure);
    if (!isStored) this.#queue.addFree({ ...command, atMost: ServiceTokens.ZERO });
    this.#scheduleUnlessDelivering();
    if (!isStored) throw new SettlementRefused(failure);
    return pending;
  }

  /**
   * Stores the release of a checkpointed request, so that even the next process reverses the charge that a sweep may book. Other releases wait in
   * memory.
   */
  async #releaseAfter(command: SettleCommand, failure: unknown): Promise<void> {
    if (command.hold?.isCheckpointed !== true || !await this.#queue.store(command, failure)) this.#releases.add(command);
  }

  #book(command: SettleCommand): Promise<SettleOutcome> {
    if (!isPromised(command)) return this.ports.ledger.settle(command);
    return settlePromised(this.ports.ledger, command, command.at ?? command.ending.endedAt);
  }

  #accepted({ hold }: SettleCommand): void {
    this.#queue.health.ledgerAnswered();
    this.ports.watch?.succeeded(hold?.facts.accountId ?? null);
  }

  /** A refusal of an invalid command shows that the ledger is available. */
  #failed({ hold }: SettleCommand, failure: unknown): void {
    if (failure instanceof BrokenInvariant) this.#queue.health.ledgerAnswered();
    else this.ports.watch?.failed(hold?.facts.accountId ?? null);
  }

  #scheduleUnlessDelivering(): void {
    if (this.#turn === null) this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    if (this.#closed || (this.waiting + this.#releases.size === 0 && !this.#queue.health.isFileFailing)) return;
    this.#cancel = this.ports.clock.schedule(OUTBOX_RETRY_MILLISECONDS, () => void this.deliver());
  }

  async #deliverAll(): Promise<void> {
    await this.#tryAll();
    if (this.#queue.health.isFileFailing) await this.#queue.probe();
    await this.#queue.emptyFile();
  }

  async #tryAll(): Promise<void> {
    let failuresInARow = 0;
    // A failed command goes to the end of its queue, and must not be tried twice in one pass.
    const turns = [this.#queue, this.#releases].flatMap((queue) => queue.values().map((command) => ({ queue, command })));
    for (const { queue, command } of turns) {
      failuresInARow = await this.#tryOne(queue, command) ? 0 : failuresInARow + 1;
      // A stopping process does not wait for an unavailable ledger.
      if (failuresInARow >= (this.#closed ? 1 : FAILURES_PER_TURN)) return;
    }
  }

  /** True if the ledger accepted or finally refused the settlement. */
  async #tryOne(queue: SettlementQueue | ReleaseQueue, command: SettleCommand): Promise<boolean> {
    try {
      const settlement = await this.#book({ ...command, at: this.ports.clock.now() });
      this.#accepted(command);
      queue.accepted(command, settlement);
      return true;
    } catch (failure) {
      this.#failed(command, failure);
      if (failure instanceof BrokenInvariant) queue.refused(command, failure);
      else queue.add(command);
      return failure instanceof BrokenInvariant;
    }
  }
}
