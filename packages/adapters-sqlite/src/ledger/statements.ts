import {
  type Ending, type Instant, type KeyBudget, leftOf, NO_SPENDING, type RequestFacts, type ReservationId, type ServiceTokens,
  TOKEN_COUNTS, TOKEN_RATES, type UtcDay,
} from '@tollgate/core';
import {
  type AlertColumns, type BalanceRow, type BudgetColumns, type ChargedParts, countColumn, flagToColumn, keySpendingFromRow, type KeySpendingRow, LATE_SETTLEMENT_COLUMNS,
  type LateSettlementRow, rateColumn, storableText, storableTextOrNull, storableUnits, USAGE_RECORD_COLUMNS, type UsageRecordRow,
} from '@tollgate/sql-common';
import { CrossingRecorder } from './crossing-recorder.js';
import { preparePurchases, type PurchaseStatements } from './purchases.js';
import { type ColumnOf, RowInsertion } from './row-insertion.js';
import type { NamedValues, SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';

/**
 * All statements of reservations and settlements. The caller provides the transaction. Frequent statements use positional parameters, and updates
 * return no rows, both of which are measurably faster.
 */
export interface SettlementStatements {
  readonly ledger: LedgerStatements;
  /** Used only for keys with a limit. */
  readonly keys: KeySpendingStatements;
  readonly usage: UsageStatements;
  readonly purchases: PurchaseStatements;
  readonly crossings: CrossingRecorder;
}

/** A balance, and the thresholds with which its bookings are compared. */
export interface WatchedBalanceRow extends BalanceRow, AlertColumns {}

/** What a settlement reads about its account, its purchase and its key. */
interface SettlementRow extends WatchedBalanceRow {
  /** `null` if no other request has the request's idempotency key. */
  readonly purchase_id: string | null;
  readonly key_used_at: bigint | null;
}

export function prepareSettlement(connection: SqliteConnection): SettlementStatements {
  return { ledger: prepareLedger(connection), keys: prepareKeySpending(connection), usage: prepareUsage(connection), purchases: preparePurchases(connection), crossings: new CrossingRecorder(connection) };
}

interface HeldRow extends BudgetColumns {
  readonly amount: bigint;
  readonly facts: string;
}

export interface LedgerStatements {
  readonly balance: SqliteStatement<[accountId: string], WatchedBalanceRow>;
  readonly beforeSettlement: SqliteStatement<[requestId: string, keyId: string | null, accountId: string], SettlementRow>;
  readonly reservedAmount: SqliteStatement<[reservationId: string], { readonly amount: bigint }>;
  /** Changes no row if the available balance is below the amount, or if the reservation already exists. */
  readonly setAside: SqliteStatement<[amount: bigint, accountId: string, amount: bigint, reservationId: string]>;
  readonly insertReservation: SqliteStatement<[
    id: string, accountId: string, ownerId: string, amount: bigint, facts: string, createdAt: number, expiresAt: number,
  ]>;
  readonly heldBy: SqliteStatement<[reservationId: string], { readonly account_id: string } & BudgetColumns>;
  readonly setMoreAside: SqliteStatement<[NamedValues]>;
  readonly grow: SqliteStatement<[amount: bigint, reservationId: string]>;
  readonly held: SqliteStatement<[reservationId: string], HeldRow>;
  /** Changes no row unless exactly this amount is held for this account. */
  readonly endHeld: SqliteStatement<[state: string, reservationId: string, amount: bigint, accountId: string]>;
  readonly debit: SqliteStatement<[charge: bigint, freed: bigint, accountId: string]>;
  readonly usageRecord: SqliteStatement<[reservationId: string], UsageRecordRow>;
  readonly lateSettlement: SqliteStatement<[reservationId: string], LateSettlementRow>;
  readonly insertEntry: SqliteStatement<[
    kind: string, debit: string, credit: string, amount: bigint, requestId: string, reservationId: string, at: number, day: string,
  ]>;
  readonly touchKey: SqliteStatement<[at: number, keyId: string]>;
}

const WATCHED_BALANCE = 'balance, reserved, alert_below, top_up_below, exhausted_below, low_alerts';

function prepareLedger(connection: SqliteConnection): LedgerStatements {
  return {
    balance: connection.prepare(`SELECT ${WATCHED_BALANCE} FROM accounts WHERE id = ?`),
    beforeSettlement: connection.prepare(`
      SELECT ${WATCHED_BALANCE}, (SELECT purchase_id FROM purchase_requests WHERE request_id = ?) AS purchase_id,
        (SELECT last_used_at FROM api_keys WHERE id = ?) AS key_used_at
      FROM accounts WHERE id = ?`),
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
    // Not joined with the account, because SQLite would prepare a join with parameters and a partial index again for each call.
    held: connection.prepare("SELECT amount, facts, key_lineage, key_period, key_limit FROM reservations WHERE id = ? AND state = 'held'"),
    endHeld: connection.prepare("UPDATE reservations SET state = ? WHERE id = ? AND state = 'held' AND amount = ? AND account_id = ?"),
    debit: connection.prepare('UPDATE accounts SET balance = balance - ?, reserved = reserved - ? WHERE id = ?'),
    usageRecord: connection.prepare(`SELECT ${USAGE_RECORD_COLUMNS.join(', ')} FROM usage_records WHERE reservation_id = ?`),
    lateSettlement: connection.prepare(`SELECT ${LATE_SETTLEMENT_COLUMNS.join(', ')} FROM late_settlements WHERE reservation_id = ?`),
    insertEntry: connection.prepare(`
      INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    touchKey: connection.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?'),
  };
}

interface KeySpendingStatements {
  readonly spending: SqliteStatement<[lineage: string, period: string], KeySpendingRow>;
  /** Changes no row if the amount is above zero and exceeds the rest of the limit. */
  readonly setAside: SqliteStatement<[lineage: string, period: string, amount: bigint, amount: bigint, limit: bigint, limit: bigint]>;
  readonly spend: SqliteStatement<[charge: bigint, freed: bigint, lineage: string, period: string]>;
  readonly insertReservation: SqliteStatement<[
    id: string, accountId: string, ownerId: string, amount: bigint, facts: string, createdAt: number, expiresAt: number,
    lineage: string, period: string, limit: bigint,
  ]>;
  readonly budget: SqliteStatement<[reservationId: string], BudgetColumns>;
}

function prepareKeySpending(connection: SqliteConnection): KeySpendingStatements {
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

/** Rest of the key's limit; `null` without a limit. */
export function leftOfLimit({ spending }: KeySpendingStatements, budget: KeyBudget | null): ServiceTokens | null {
  if (budget === null) return null;
  const row = spending.get(budget.lineage, budget.period);
  return leftOf(budget, row === undefined ? NO_SPENDING : keySpendingFromRow(row));
}

/** An ended reservation, to be stored as a usage record or as a late settlement. */
interface EndedReservation {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly parts: ChargedParts;
  /** Day of the usage record. A late settlement belongs to the same day. */
  readonly day: UtcDay;
  readonly settledAt: Instant;
}

const ENDING_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ['reservation_id', ({ id }) => id],
  ['account_id', ({ facts }) => facts.accountId],
  ['end_reason', ({ ending }) => ending.reason],
  ['served_by', ({ ending }) => ending.service?.servedBy ?? null],
  ['upstream_id', ({ ending }) => ending.service?.upstreamId ?? null],
  ['omitted', ({ ending }) => ending.service?.omitted?.join(',') ?? null],
  ['fallback_used', ({ ending }) => flagToColumn(ending.service?.fallbackUsed ?? false)],
  ...TOKEN_RATES.map((rate): ColumnOf<EndedReservation> => [rateColumn(rate), ({ ending }) => ending.service?.price[rate.field] ?? null]),
  ['price_list', ({ ending }) => ending.service?.priceVersion?.list ?? null],
  ['price_version', ({ ending }) => ending.service?.priceVersion?.version ?? null],
  ...TOKEN_COUNTS.map((count): ColumnOf<EndedReservation> => [countColumn(count), ({ ending }) => ending.usage[count.field]]),
  ['usage_source', ({ ending }) => ending.usage.source],
  ['reasoning_withheld', ({ ending }) => flagToColumn(ending.usage.reasoningWithheld)],
  ['first_output_at', ({ ending }) => ending.firstOutputAt],
  ['ended_at', ({ ending }) => ending.endedAt],
  ['day', ({ day }) => day],
  ['settled_at', ({ settledAt }) => settledAt],
  ['charge', ({ parts }) => parts.charged.toUnits()],
  ['write_off', ({ parts }) => storableUnits(parts.writeOff.toUnits())],
];

const RECORD_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ...ENDING_COLUMNS,
  ['request_id', ({ facts }) => facts.requestId],
  ['key_id', ({ facts }) => facts.keyId],
  ['format', ({ facts }) => facts.format],
  ['streamed', ({ facts }) => flagToColumn(facts.streamed)],
  ['requested_model', ({ facts }) => storableText(facts.requestedModel)],
  ['attribution', ({ facts }) => storableTextOrNull(facts.attribution)],
  ['usd_rate', ({ facts }) => facts.usdPerServiceToken],
  ['started_at', ({ facts }) => facts.startedAt],
];

export interface RollUpPart {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly day: UtcDay;
  /** 1 adds to the sums. -1 subtracts, if a late settlement replaces the ending. */
  readonly times: 1 | -1;
}

type RollUpColumn = ColumnOf<RollUpPart>;

const ACCOUNT: RollUpColumn = ['account_id', ({ facts }) => facts.accountId];
const DAY: RollUpColumn = ['day', ({ day }) => day];
const RATE: RollUpColumn = ['usd_rate', ({ facts }) => facts.usdPerServiceToken];

/** The primary key of `usage_daily`. */
const DAY_KEYS: readonly RollUpColumn[] = [
  ACCOUNT, DAY, ['model', ({ ending }) => ending.service?.servedBy ?? ''], ['key_id', ({ facts }) => facts.keyId ?? ''], RATE,
];

/** The primary key of `usage_daily_users`. */
const USER_DAY_KEYS: readonly RollUpColumn[] = [ACCOUNT, DAY, ['attribution', ({ facts }) => storableText(facts.attribution ?? '')], RATE];

const SUMS: readonly RollUpColumn[] = [
  ['requests', ({ times }) => times],
  ...TOKEN_COUNTS.map((count): RollUpColumn => [countColumn(count), ({ ending, times }) => times * ending.usage[count.field]]),
  ['charge', ({ charged, times }) => BigInt(times) * charged.toUnits()],
];

function namesOf(columns: readonly RollUpColumn[]): readonly string[] {
  return columns.map(([name]) => name);
}

/** Inserts a row of sums, or adds to an existing one. */
function rollUp(connection: SqliteConnection, table: string, keys: readonly RollUpColumn[]): RowInsertion<RollUpPart> {
  const additions = namesOf(SUMS).map((column) => `${column} = ${column} + excluded.${column}`);
  return new RowInsertion(connection, [...keys, ...SUMS], { table, conflict: ` ON CONFLICT (${namesOf(keys).join(', ')}) DO UPDATE SET ${additions.join(', ')}` });
}

interface UsageStatements {
  readonly insertRecord: RowInsertion<EndedReservation>;
  /** Without the request's facts, which are in the usage record. */
  readonly insertLate: RowInsertion<EndedReservation>;
  readonly addToDay: RowInsertion<RollUpPart>;
  readonly addToUserDay: RowInsertion<RollUpPart>;
}

function prepareUsage(connection: SqliteConnection): UsageStatements {
  return {
    insertRecord: new RowInsertion(connection, RECORD_COLUMNS, { table: 'usage_records' }),
    insertLate: new RowInsertion(connection, ENDING_COLUMNS, { table: 'late_settlements' }),
    addToDay: rollUp(connection, 'usage_daily', DAY_KEYS),
    addToUserDay: rollUp(connection, 'usage_daily_users', USER_DAY_KEYS),
  };
}
