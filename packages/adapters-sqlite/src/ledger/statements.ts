import {
  balanceFromRow, type BalanceRow, type BudgetColumns, budgetFromRow, keySpendingFromRow, type KeySpendingRow, type LateSettlementRow,
  REVENUE, type UsageRecordRow, WRITE_OFFS,
} from '@tollgate/sql-common';
import {
  type Balance, type Instant, invariant, type KeyBudget, leftOf, NO_SPENDING, type RequestFacts, type ReservationId, type ServiceTokens,
  type UtcDay,
} from '@tollgate/core';
import type { NamedValues, SqliteConnection, SqliteStatement } from '../sqlite-connection.js';
import type { KeyUseBuffer, ReservationCache } from './reservation-cache.js';
import type { UsageStatements } from './usage-statements.js';

/** Every statement of a settlement, and the caches in front of them. */
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
  /** Of several attempts to end a reservation, one changes the row; none with a wrong amount does. */
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

/** What an entry is about. */
export interface EntrySource {
  readonly reservationId: ReservationId;
  readonly facts: RequestFacts;
  readonly at: Instant;
  /** The day whose usage it belongs to: that of the request's end, also for what is charged later. */
  readonly day: UtcDay;
}

/** What is booked, and who pays it: the customer for a charge, the house for a write-off. */
interface Transfer {
  readonly kind: 'charge' | 'late-charge' | 'write-off' | 'late-write-off';
  readonly payer: string;
  readonly amount: bigint;
}

function bookTransfer(statements: LedgerStatements, { reservationId, facts, at, day }: EntrySource, transfer: Transfer): void {
  if (transfer.amount === 0n) return;
  const { kind, payer, amount } = transfer;
  statements.insertEntry.run(kind, payer, REVENUE, amount, facts.requestId, reservationId, at, day);
}

/** Books a charge; one of nothing leaves no entry. */
export function bookCharge(statements: LedgerStatements, source: EntrySource, charge: { readonly kind: 'charge' | 'late-charge'; readonly amount: ServiceTokens }): void {
  bookTransfer(statements, source, { kind: charge.kind, payer: source.facts.accountId, amount: charge.amount.toUnits() });
}

/** Books the part of a charge that could not be paid; no account owes it. */
export function bookWriteOff(statements: LedgerStatements, source: EntrySource, writeOff: { readonly kind: 'write-off' | 'late-write-off'; readonly units: bigint }): void {
  bookTransfer(statements, source, { kind: writeOff.kind, payer: WRITE_OFFS, amount: writeOff.units });
}

/** What is taken from a balance, in micro-tokens. */
export interface Debit {
  /** As it was read in this transaction. */
  readonly before: BalanceRow;
  readonly charge: bigint;
  /** No longer set aside. */
  readonly freed: bigint;
}

/** Takes a charge from an account and returns what is left, which follows from what was read: a transaction has the database to itself. */
export function debit(statements: LedgerStatements, accountId: string, { before, charge, freed }: Debit): Balance {
  const { changes } = statements.debit.run(charge, freed, accountId);
  invariant(changes === 1, 'the account was found in this transaction');
  return balanceFromRow({ balance: before.balance - charge, reserved: before.reserved - freed });
}

/** What is written and read for requests whose key has a limit, and for no others. Each is one step of a transaction of the caller's. */
interface KeySpendingStatements {
  readonly spending: SqliteStatement<[lineage: string, period: string], KeySpendingRow>;
  /** Nothing is set aside beyond what is left of the limit; nothing at all may be, also where less than nothing is left. */
  readonly setAside: SqliteStatement<[lineage: string, period: string, amount: bigint, amount: bigint, limit: bigint, limit: bigint]>;
  readonly spend: SqliteStatement<[charge: bigint, freed: bigint, lineage: string, period: string]>;
  readonly insertReservation: SqliteStatement<[
    id: string, accountId: string, ownerId: string, amount: bigint, facts: string, createdAt: number, expiresAt: number,
    lineage: string, period: string, limit: bigint,
  ]>;
  readonly budget: SqliteStatement<[reservationId: string], BudgetColumns>;
}

export function prepareKeySpending(connection: SqliteConnection): KeySpendingStatements {
  return {
    spending: connection.prepare('SELECT spent, reserved FROM key_spending WHERE lineage = ? AND period = ?'),
    setAside: connection.prepare(`
      INSERT INTO key_spending (lineage, period, spent, reserved) SELECT ?, ?, 0, ? WHERE ? <= ?
      ON CONFLICT (lineage, period) DO UPDATE SET reserved = reserved + excluded.reserved
      WHERE excluded.reserved = 0 OR spent + reserved + excluded.reserved <= ?`),
    spend: connection.prepare('UPDATE key_spending SET spent = spent + ?, reserved = reserved - ? WHERE lineage = ? AND period = ?'),
    insertReservation: connection.prepare(`
      INSERT INTO reservations (id, account_id, owner_id, amount, state, facts, progress, created_at, expires_at, key_lineage, key_period, key_limit)
      VALUES (?, ?, ?, ?, 'held', ?, NULL, ?, ?, ?, ?, ?)`),
    budget: connection.prepare('SELECT key_lineage, key_period, key_limit FROM reservations WHERE id = ?'),
  };
}

/** What is left of a limit; `null` for a key without one. */
export function leftOfLimit({ spending }: KeySpendingStatements, budget: KeyBudget | null): ServiceTokens | null {
  if (budget === null) return null;
  const row = spending.get(budget.lineage, budget.period);
  return leftOf(budget, row === undefined ? NO_SPENDING : keySpendingFromRow(row));
}

/** Sets aside of a limit what was decided to be left of it; nothing for a key without one. */
export function setAsideOfLimit({ setAside }: KeySpendingStatements, budget: KeyBudget | null, units: bigint): void {
  if (budget === null) return;
  const limit = budget.limit.toUnits();
  const { changes } = setAside.run(budget.lineage, budget.period, units, units, limit, limit);
  invariant(changes === 1, 'what is left of the limit was read in this transaction');
}

/** Counts a charge and gives up what was set aside for it. */
export function spendOfLimit({ spend }: KeySpendingStatements, budget: KeyBudget | null, { charge, freed }: { readonly charge: bigint; readonly freed: bigint }): void {
  if (budget === null || (charge === 0n && freed === 0n)) return;
  const { changes } = spend.run(charge, freed, budget.lineage, budget.period);
  invariant(changes === 1, 'what a request counts against was written when it was reserved');
}

/** What an earlier reservation counts against. */
export function budgetOfReservation({ budget }: KeySpendingStatements, id: ReservationId): KeyBudget | null {
  const row = budget.get(id);
  return row === undefined ? null : budgetFromRow(row);
}
