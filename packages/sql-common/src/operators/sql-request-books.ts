import {
  type BookedRequest, instant, type RefundEntry, type RequestBooks, type RequestEntry, type RequestEntryKind, type RequestId, type ReservationId,
  ServiceTokens,
} from '@tollgate/core';
import { type Selectable, sql } from 'kysely';
import { LATE_SETTLEMENT_COLUMNS, LEDGER_ENTRY_COLUMNS, PURCHASE_COLUMNS, RESERVATION_COLUMNS, USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import { decodeFacts, reservationFromRow } from '../money/reservation-rows.js';
import { MAX_UNITS } from '../money/balance-rows.js';
import type { LedgerEntryTable } from '../schema/database-schema.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { lateSettlementFromRow, usageRecordFromRow } from '../usage/usage-rows.js';

type EntryRow = Selectable<LedgerEntryTable>;

/** Balance after an entry: the current balance less the account's later entries, of which recent requests have few. */
function* balanceAfter(queries: Queries, accountId: string, { seq }: EntryRow): Script<ServiceTokens> {
  const row = yield* firstOf(compilable(queries, sql<{ readonly units: bigint }>`
    select cast(balance - coalesce((
      select sum(case when credit_account = accounts.id then amount else -amount end) from ledger_entries
      where seq > ${seq} and (credit_account = accounts.id or debit_account = accounts.id)), 0) as bigint) as units
    from accounts where id = ${accountId}`));
  return ServiceTokens.fromUnits(row?.units ?? 0n);
}

function* entriesOf(queries: Queries, reservationId: ReservationId, accountId: string): Script<readonly RequestEntry[]> {
  const rows = yield* rowsOf(queries.selectFrom('ledger_entries').select(LEDGER_ENTRY_COLUMNS).where('reservation_id', '=', reservationId).orderBy('seq'));
  const entries: RequestEntry[] = [];
  for (const row of rows) {
    entries.push({
      number: row.seq.toString(),
      kind: row.kind as RequestEntryKind,
      debit: row.debit_account,
      credit: row.credit_account,
      amount: ServiceTokens.fromUnits(row.amount),
      requestId: row.request_id as RequestId | null,
      reservationId,
      at: instant(Number(row.at)),
      day: row.day,
      balanceAfter: yield* balanceAfter(queries, accountId, row),
    });
  }
  return entries;
}

function* refundsOf(queries: Queries, requestId: string, accountId: string): Script<readonly RefundEntry[]> {
  const rows = yield* rowsOf(queries.selectFrom('ledger_entries').select(LEDGER_ENTRY_COLUMNS).where('kind', '=', 'refund').where('request_id', '=', requestId).orderBy('seq'));
  const refunds: RefundEntry[] = [];
  for (const row of rows) {
    const { seq, debit_account: debit, credit_account: credit, amount, reference, reason, at } = row;
    const balance = yield* balanceAfter(queries, accountId, row);
    refunds.push({ number: seq.toString(), debit, credit, amount: ServiceTokens.fromUnits(amount), reference, reason, at: instant(Number(at)), balanceAfter: balance });
  }
  return refunds;
}

function* bookedRequest(queries: Queries, id: ReservationId): Script<BookedRequest> {
  const reservation = yield* firstOf(queries.selectFrom('reservations').select(RESERVATION_COLUMNS).where('id', '=', id));
  const record = yield* firstOf(queries.selectFrom('usage_records').select(USAGE_RECORD_COLUMNS).where('reservation_id', '=', id));
  const late = yield* firstOf(queries.selectFrom('late_settlements').select(LATE_SETTLEMENT_COLUMNS).where('reservation_id', '=', id));
  const purchase = record === null ? null : yield* firstOf(queries.selectFrom('purchase_requests').select(PURCHASE_COLUMNS).where('request_id', '=', record.request_id));
  return {
    reservation: reservation === null ? null : reservationFromRow(reservation),
    record: record === null ? null : usageRecordFromRow(record, purchase),
    late: late === null ? null : lateSettlementFromRow(late, purchase),
    refunds: record === null ? [] : yield* refundsOf(queries, record.request_id, record.account_id),
    entries: yield* entriesOf(queries, id, record?.account_id ?? reservation?.account_id ?? ''),
    largestAmount: ServiceTokens.fromUnits(MAX_UNITS),
  };
}

/** Finds a running request, whose id is only in the facts of its reservation. Few requests run at a time. */
function* ofRunning(queries: Queries, requestId: string): Script<string | null> {
  const held = yield* rowsOf(queries.selectFrom('reservations').select(['id', 'facts']).where('state', '=', 'held'));
  return held.find(({ facts }) => decodeFacts(facts).requestId === requestId)?.id ?? null;
}

/** Reservation of a request, given the id of either. If there is no usage record, searches the reservations and the ledger. */
function* reservationIdOf(queries: Queries, id: string): Script<ReservationId | null> {
  const recorded = yield* firstOf(queries.selectFrom('usage_records').select('reservation_id')
    .where((record) => record.or([record('request_id', '=', id), record('reservation_id', '=', id)])));
  if (recorded !== null) return recorded.reservation_id as ReservationId;
  const reserved = yield* firstOf(queries.selectFrom('reservations').select('id').where('id', '=', id));
  const running = reserved?.id ?? (yield* ofRunning(queries, id));
  if (running !== null) return running as ReservationId;
  const entry = yield* firstOf(queries.selectFrom('ledger_entries').select('reservation_id').where('request_id', '=', id).limit(1));
  return (entry?.reservation_id ?? null) as ReservationId | null;
}

export class SqlRequestBooks implements RequestBooks {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  find(id: string): Promise<BookedRequest | null> {
    const { queries } = this;
    return this.runner.readInBackground(function* readRequest() {
      const reservationId = yield* reservationIdOf(queries, id);
      return reservationId === null ? null : yield* bookedRequest(queries, reservationId);
    });
  }
}
