import type { BalanceRow, BudgetColumns, LateSettlementRow, UsageRecordRow } from '@tollgate/sql-common';
import type { NamedValues, SqliteConnection, SqliteStatement } from '../sqlite-connection.js';
import type { KeySpendingStatements } from './key-spending.js';
import type { ReservationCache } from './reservation-cache.js';
import type { KeyUseBuffer } from './key-use-buffer.js';
import type { UsageStatements } from './usage-statements.js';

/** All that a settlement runs, and what it may know beforehand. */
export interface SettlementStatements {
  readonly ledger: LedgerStatements;
  readonly keys: KeySpendingStatements;
  readonly usage: UsageStatements;
  readonly known: ReservationCache;
  readonly keyUses: KeyUseBuffer;
  /** Does something once the transaction that a settlement runs in is committed. */
  readonly afterCommit: (effect: () => void) => void;
}

export interface HeldRow extends BudgetColumns {
  readonly amount: bigint;
  readonly facts: string;
}

/**
 * Every statement of the money path; each is one step of a transaction that its caller has begun. What every request runs takes its
 * values by position and returns no rows from updates, either of which takes SQLite noticeably longer.
 */
export interface LedgerStatements {
  readonly balance: SqliteStatement<[string], BalanceRow>;
  readonly reservedAmount: SqliteStatement<[reservationId: string], { readonly amount: bigint }>;
  /** The whole rule in one statement; it changes nothing for a reservation that exists. */
  readonly setAside: SqliteStatement<[amount: bigint, accountId: string, amount: bigint, reservationId: string]>;
  readonly insertReservation: SqliteStatement<[
    id: string, accountId: string, ownerId: string, amount: bigint, facts: string, createdAt: number, expiresAt: number,
  ]>;
  readonly heldBy: SqliteStatement<[string], { readonly account_id: string } & BudgetColumns>;
  readonly setMoreAside: SqliteStatement<[NamedValues]>;
  readonly grow: SqliteStatement<[amount: bigint, reservationId: string]>;
  readonly held: SqliteStatement<[reservationId: string], HeldRow>;
  /** Of all who try to end a reservation, one changes the row; nobody who is wrong about what is held. */
  readonly endHeld: SqliteStatement<[state: string, reservationId: string, amount: bigint]>;
  readonly debit: SqliteStatement<[charge: bigint, freed: bigint, accountId: string]>;
  readonly usageRecord: SqliteStatement<[string], UsageRecordRow>;
  readonly lateSettlement: SqliteStatement<[string], LateSettlementRow>;
  readonly insertEntry: SqliteStatement<[
    kind: string, debit: string, credit: string, amount: bigint, requestId: string, reservationId: string, at: number, day: string,
  ]>;
  readonly touchKey: SqliteStatement<[at: number, id: string, unlessAfter: number]>;
}

/** Prepared once, since they are what every request runs. */
export function prepareLedger(connection: SqliteConnection): LedgerStatements {
  return {
    balance: connection.prepare('SELECT balance, reserved FROM accounts WHERE id = ?'),
    reservedAmount: connection.prepare('SELECT amount FROM reservations WHERE id = ?'),
    setAside: connection.prepare(`
      UPDATE accounts SET reserved = reserved + ?
      WHERE id = ? AND balance - reserved >= ? AND NOT EXISTS (SELECT 1 FROM reservations WHERE id = ?)`),
    insertReservation: connection.prepare(`
      INSERT INTO reservations (id, account_id, owner_id, amount, state, facts, progress, created_at, expires_at)
      VALUES (?, ?, ?, ?, 'held', ?, NULL, ?, ?)`),
    heldBy: connection.prepare("SELECT account_id, key_lineage, key_period, key_limit FROM reservations WHERE id = ? AND state = 'held'"),
    setMoreAside: connection.prepare(`
      UPDATE accounts SET reserved = reserved + @amount WHERE id = @accountId AND balance - reserved >= @amount`),
    grow: connection.prepare("UPDATE reservations SET amount = amount + ? WHERE id = ? AND state = 'held'"),
    // Not joined with the account: beside a partial index, SQLite would prepare a join with a parameter again every time.
    held: connection.prepare("SELECT amount, facts, key_lineage, key_period, key_limit FROM reservations WHERE id = ? AND state = 'held'"),
    endHeld: connection.prepare("UPDATE reservations SET state = ? WHERE id = ? AND state = 'held' AND amount = ?"),
    debit: connection.prepare('UPDATE accounts SET balance = balance - ?, reserved = reserved - ? WHERE id = ?'),
    usageRecord: connection.prepare('SELECT * FROM usage_records WHERE reservation_id = ?'),
    lateSettlement: connection.prepare('SELECT * FROM late_settlements WHERE reservation_id = ?'),
    insertEntry: connection.prepare(`
      INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    touchKey: connection.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)'),
  };
}
