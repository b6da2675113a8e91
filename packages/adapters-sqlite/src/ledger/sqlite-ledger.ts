import {
  type AccountId, type Balance, type Booked, type BookingObserver, type Checkpoint, type CreditCommand, type CreditOutcome, creditOutcomeOf, type ForgottenReservations, type Instant, isStoreLost,
  type LeaseRenewal, type Ledger, type MoneyAct, type MoneyActOutcome, portionsOf, type ProcessId, type Prolongation, type ReservationId, type ReservationProgress, type ReserveCommand, type ReserveOutcome,
  type ServiceTokens, type SettleCommand, type SettleOutcome, type SweptReservations, topUpOf,
} from '@tollgate/core';
import { balanceFromRow, bookMoneyAct, encodeProgress, type Queries, type ScriptRunner } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import type { WatchedFile } from '../file/database-file.js';
import { retryWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { SqliteForgottenSweeper } from './sqlite-forgotten-sweeper.js';
import { settleEnded } from './late.js';
import { ProcessLeases } from './process-leases.js';
import { SqliteSweeper } from './sqlite-sweeper.js';
import { extend, reserve } from './reserve.js';
import { settle } from './settle.js';
import { prepareSettlement, type SettlementStatements } from './statements.js';

/** Maximum checkpoints or prolongations per transaction: small, so that requests are served meanwhile. */
const CHECKPOINTS_PER_COMMIT = 64;

export interface SqliteLedgerParts {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly processId: ProcessId;
  readonly file: WatchedFile;
  readonly bookings: BookingObserver;
}

type ProgressEntry = readonly [ReservationId, ReservationProgress];

/** Ignores that the database file was lost, since the lease was lost with it. */
function unlessStoreLost(thrown: unknown): void {
  if (!isStoreLost(thrown)) throw thrown;
}

/** The ledger in SQLite: prepared statements in grouped commits. */
export class SqliteLedger implements Ledger {
  private readonly statements: SettlementStatements;
  private readonly leases: ProcessLeases;
  private readonly sweeper: SqliteSweeper;
  private readonly forgotten: SqliteForgottenSweeper;
  private readonly storeProgress;
  private readonly moveDeadline;

  constructor(private readonly parts: SqliteLedgerParts) {
    const { connection, commits, processId: self, bookings } = parts;
    this.statements = prepareSettlement(connection);
    this.leases = new ProcessLeases(connection, self);
    this.sweeper = new SqliteSweeper({ connection, commits, statements: this.statements, leases: this.leases, self, bookings });
    this.forgotten = new SqliteForgottenSweeper({ connection, commits, statements: this.statements, bookings });
    this.moveDeadline = connection.prepare<[{ readonly id: string; readonly ownerId: string; readonly expiresAt: number }]>(
      `UPDATE reservations SET expires_at = @expiresAt WHERE id = @id AND owner_id = @ownerId AND state = 'held' AND expires_at < @expiresAt`,
    );
    this.storeProgress = connection.prepare<[string, string, string]>(
      `UPDATE reservations SET progress = ? WHERE id = ? AND owner_id = ? AND state = 'held'`,
    );
  }

  balanceOf(accountId: AccountId): Promise<Balance | null> {
    return retryWhileBusy(() => {
      this.parts.commits.assertUsable();
      const row = this.statements.ledger.balance.get(accountId);
      return row === undefined ? null : balanceFromRow(row);
    });
  }

  async credit(command: CreditCommand): Promise<CreditOutcome> {
    return creditOutcomeOf(await this.book(topUpOf(command)));
  }

  book(act: MoneyAct): Promise<MoneyActOutcome> {
    return this.parts.runner.write(() => bookMoneyAct(this.parts.queries, act));
  }

  /** Does not wait for the disk. If a power failure loses the reservation, the request that it was for has not been answered or charged either. */
  reserve(command: ReserveCommand): Promise<ReserveOutcome> {
    return this.parts.commits.runAhead(() => reserve(this.statements, command));
  }

  extend(id: ReservationId, amount: ServiceTokens): Promise<ReserveOutcome> {
    return this.parts.commits.runAhead(() => extend(this.statements, id, amount));
  }

  async settle(command: SettleCommand): Promise<SettleOutcome> {
    const outcome = await this.parts.commits.run(() => settle(this.statements, command) ?? settleEnded(this.statements, command));
    if (outcome.booked !== null) this.parts.bookings.booked(outcome.booked);
    return outcome;
  }

  async checkpoint({ ownerId, progress, at, leaseExpiresAt }: Checkpoint): Promise<LeaseRenewal> {
    await this.parts.file.check();
    const wasAbsent = await this.parts.commits.run(() => this.leases.renew(ownerId, { at, leaseExpiresAt }));
    for (const portion of portionsOf([...progress], CHECKPOINTS_PER_COMMIT)) {
      await this.parts.commits.run(() => this.store(ownerId, portion));
    }
    return { wasAbsent, clockAheadMilliseconds: null };
  }

  async prolong({ ownerId, reservations, expiresAt }: Prolongation): Promise<void> {
    for (const portion of portionsOf(reservations, CHECKPOINTS_PER_COMMIT)) {
      await this.parts.commits.run(() => {
        for (const id of portion) this.moveDeadline.run({ id, ownerId, expiresAt });
      });
    }
  }

  sweep(now: Instant, onSwept: (swept: SweptReservations) => void = () => undefined): Promise<readonly Booked[]> {
    return this.sweeper.sweep(now, onSwept);
  }

  sweepForgotten(forgotten: ForgottenReservations): Promise<readonly Booked[]> {
    return this.forgotten.sweep(forgotten);
  }

  retire(ownerId: ProcessId): Promise<void> {
    return this.parts.commits.run(() => this.leases.retire(ownerId)).catch(unlessStoreLost);
  }

  private store(ownerId: ProcessId, entries: readonly ProgressEntry[]): void {
    for (const [id, progress] of entries) this.storeProgress.run(encodeProgress(progress), id, ownerId);
  }
}
