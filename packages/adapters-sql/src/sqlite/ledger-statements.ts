import type { LateSettlementRow, UsageRecordRow } from '../usage/usage-record-row.js';
import type { BalanceRow } from '../ledger/balance-row.js';
import type { NamedValues, SqliteConnection, SqliteStatement } from './sqlite-connection.js';

export interface HeldRow {
  readonly account_id: string;
  readonly amount: bigint;
  readonly facts: string;
}

/** Every statement of the money path; each is one step of a transaction that its caller has begun. */
export interface LedgerStatements {
  readonly balance: SqliteStatement<[string], BalanceRow>;
  readonly reservationState: SqliteStatement<[string], { readonly state: string }>;
  /** The whole rule in one statement; it changes nothing for a reservation that exists. */
  readonly setAside: SqliteStatement<[NamedValues]>;
  readonly insertReservation: SqliteStatement<[NamedValues]>;
  readonly heldBy: SqliteStatement<[string], { readonly account_id: string }>;
  readonly setMoreAside: SqliteStatement<[NamedValues]>;
  readonly grow: SqliteStatement<[bigint, string], { readonly account_id: string }>;
  /** Of all who try to end a reservation, one gets the row. */
  readonly endHeld: SqliteStatement<[string, string], HeldRow>;
  readonly debit: SqliteStatement<[{ readonly charge: bigint; readonly freed: bigint; readonly accountId: string }], BalanceRow>;
  readonly usageRecord: SqliteStatement<[string], UsageRecordRow>;
  readonly lateSettlement: SqliteStatement<[string], LateSettlementRow>;
  readonly insertEntry: SqliteStatement<[NamedValues]>;
  readonly touchKey: SqliteStatement<[{ readonly id: string; readonly at: number; readonly unlessAfter: number }]>;
}

/** Prepared once, since they are what every request runs. */
export function prepareLedger(connection: SqliteConnection): LedgerStatements {
  return {
    balance: connection.prepare('SELECT balance, reserved FROM accounts WHERE id = ?'),
    reservationState: connection.prepare('SELECT state FROM reservations WHERE id = ?'),
    setAside: connection.prepare(`
      UPDATE accounts SET reserved = reserved + @amount
      WHERE id = @accountId AND balance - reserved >= @amount AND NOT EXISTS (SELECT 1 FROM reservations WHERE id = @id)`),
    insertReservation: connection.prepare(`
      INSERT INTO reservations (id, account_id, owner_id, amount, state, facts, progress, created_at, expires_at)
      VALUES (@id, @accountId, @ownerId, @amount, 'held', @facts, NULL, @createdAt, @expiresAt)`),
    heldBy: connection.prepare("SELECT account_id FROM reservations WHERE id = ? AND state = 'held'"),
    setMoreAside: connection.prepare(`
      UPDATE accounts SET reserved = reserved + @amount WHERE id = @accountId AND balance - reserved >= @amount`),
    grow: connection.prepare("UPDATE reservations SET amount = amount + ? WHERE id = ? AND state = 'held' RETURNING account_id"),
    endHeld: connection.prepare("UPDATE reservations SET state = ? WHERE id = ? AND state = 'held' RETURNING account_id, amount, facts"),
    debit: connection.prepare(`
      UPDATE accounts SET balance = balance - @charge, reserved = reserved - @freed WHERE id = @accountId RETURNING balance, reserved`),
    usageRecord: connection.prepare('SELECT * FROM usage_records WHERE reservation_id = ?'),
    lateSettlement: connection.prepare('SELECT * FROM late_settlements WHERE reservation_id = ?'),
    insertEntry: connection.prepare(`
      INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
      VALUES (@kind, @debit, @credit, @amount, @requestId, @reservationId, @at, @day)`),
    touchKey: connection.prepare(`
      UPDATE api_keys SET last_used_at = @at WHERE id = @id AND (last_used_at IS NULL OR last_used_at <= @unlessAfter)`),
  };
}
