import { invariant, type KeyBudget, leftOf, NO_SPENDING, type ReservationId, type ServiceTokens } from '@tollgate/core';
import { type BudgetColumns, budgetFromRow, keySpendingFromRow, type KeySpendingRow } from '@tollgate/sql-common';
import type { SqliteConnection, SqliteStatement } from '../sqlite-connection.js';

/** What is written and read for requests whose key has a limit, and for no others. Each is one step of a transaction of the caller's. */
export interface KeySpendingStatements {
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
