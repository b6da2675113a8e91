import {
  type AccountId, type Balance, type Booked, type BookingObserver, type Checkpoint, type CreditCommand, type CreditOutcome, creditOutcomeOf, type ForgottenReservations, type Instant,
  type LeaseRenewal, type Ledger, type MoneyAct, type MoneyActOutcome, type ProcessId, type Prolongation, type ReservationId, type ReserveCommand, type ReserveOutcome,
  type ServiceTokens, type SettleCommand, type SettleOutcome, type SweptReservations, topUpOf,
} from '@tollgate/core';
import { balanceFromRow, type BalanceRow, bookMoneyAct, type LeaseClock, type Queries, type ScriptRunner } from '@tollgate/sql-common';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { retryTransient } from '../connection/retry-transient.js';
import { PostgresForgottenSweeper } from './postgres-forgotten-sweeper.js';
import { KnownAccounts } from './known-accounts.js';
import { extendOperation, extendOutcome, reserveOperation, reserveOutcome, settlementFrom, settleOperation } from './money-operation.js';
import type { MoneyQueue, Touched } from './money-queue.js';
import { PostgresLeases } from './postgres-leases.js';
import { PostgresSweeper } from './postgres-sweeper.js';

const BALANCE = { name: 'tollgate-balance', text: 'select balance, reserved from accounts where id = $1' };

export interface PostgresLedgerParts {
  /** Used for all but the money operations of requests, which `money` sends. */
  readonly pool: ConnectionPool;
  readonly money: MoneyQueue;
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly processId: ProcessId;
  readonly leaseClock: LeaseClock;
  readonly bookings: BookingObserver;
}

/** The ledger in PostgreSQL. Reserving, extending and settling each take one round trip, shared with concurrent operations. */
export class PostgresLedger implements Ledger {
  private readonly known = new KnownAccounts();
  private readonly leases: PostgresLeases;
  private readonly sweeper: PostgresSweeper;
  private readonly forgotten: PostgresForgottenSweeper;
  private extensions = 0;

  constructor(private readonly parts: PostgresLedgerParts) {
    const { pool, queries, processId: self, leaseClock: clock, bookings } = parts;
    this.leases = new PostgresLeases({ pool, queries, self, clock });
    this.sweeper = new PostgresSweeper({ pool, queries, self, clock, bookings });
    this.forgotten = new PostgresForgottenSweeper({ pool, queries, bookings });
  }

  async balanceOf(accountId: AccountId): Promise<Balance | null> {
    const { rows } = await retryTransient(() => this.parts.pool.use((session) => session.query({ ...BALANCE, values: [accountId] })));
    const row = rows[0] as BalanceRow | undefined;
    return row === undefined ? null : balanceFromRow(row);
  }

  async credit(command: CreditCommand): Promise<CreditOutcome> {
    return creditOutcomeOf(await this.book(topUpOf(command)));
  }

  book(act: MoneyAct): Promise<MoneyActOutcome> {
    const { runner, queries, money } = this.parts;
    return money.performTask(() => runner.write(() => bookMoneyAct(queries, act)), { accounts: [act.accountId], reservation: null });
  }

  async reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    const { reservationId, facts: { accountId } } = command;
    this.known.note(reservationId, accountId);
    return reserveOutcome(await this.parts.money.perform(reserveOperation(command, this.parts.leaseClock), { accounts: [accountId], reservation: reservationId }));
  }

  async extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    this.extensions += 1;
    const operation = extendOperation(id, amount, { extender: this.parts.processId, extension: this.extensions });
    return extendOutcome(await this.parts.money.perform(operation, this.touchedBy(id)), amount);
  }

  /** Sent again after a lost reply; a repetition has no effect. */
  async settle(command: SettleCommand): Promise<SettleOutcome> {
    const { reservationId } = command;
    const outcome = settlementFrom(await this.parts.money.perform(settleOperation(command), this.touchedBy(reservationId)), command);
    // Not reached for an unknown reservation: its `reserve` may still be under way.
    this.known.forget(reservationId);
    if (outcome.booked !== null) this.parts.bookings.booked(outcome.booked);
    return outcome;
  }

  checkpoint(checkpoint: Checkpoint): Promise<LeaseRenewal> {
    return this.leases.checkpoint(checkpoint);
  }

  prolong(prolongation: Prolongation): Promise<void> {
    return this.leases.prolong(prolongation);
  }

  sweep(now: Instant, onSwept: (swept: SweptReservations) => void = () => undefined): Promise<readonly Booked[]> {
    return this.sweeper.sweep(now, onSwept);
  }

  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]> {
    return this.forgotten.sweep(forgotten);
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.leases.retire(ownerId);
  }

  private touchedBy(reservation: ReservationId): Touched {
    return { accounts: this.known.of(reservation), reservation };
  }
}
