import { type AccountEntry, type AccountId, portionsOf, type RequestId, ServiceTokens } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { readRecordPages } from '../usage/record-pages.js';

const ENTRIES_PER_READ = 1_000;

interface EntryRow {
  readonly seq: bigint;
  readonly kind: string;
  readonly credit_account: string;
  readonly amount: bigint;
  readonly request_id: string | null;
  readonly reference: string | null;
  readonly expires_at: bigint | null;
  readonly at: bigint;
}

const ENTRY_COLUMNS = sql`e.seq, e.kind, e.credit_account, e.amount, e.request_id, e.reference, e.expires_at, e.at`;

function entryFromRow(row: EntryRow, accountId: AccountId): AccountEntry {
  return {
    entry: row.seq, kind: row.kind as AccountEntry['kind'], isCredit: row.credit_account === accountId, amount: ServiceTokens.fromUnits(row.amount), requestId: row.request_id as RequestId | null,
    reference: row.reference, expiresAt: instantOrNull(row.expires_at), at: instantFromColumn(row.at),
  };
}

interface After {
  readonly accountId: AccountId;
  /** Number of an entry. Only later entries are read. */
  readonly after: bigint;
}

/** The account's acts of money after an entry, in the order of their numbers. Stops after the page with which it has read at least `most`. */
export function* moneyActsAfter(queries: Queries, { accountId, after }: After, most = Infinity): Script<readonly AccountEntry[]> {
  const acts: AccountEntry[] = [];
  for (let from: bigint | null = after; from !== null && acts.length < most;) {
    const rows: readonly EntryRow[] = yield* rowsOf(compilable(queries, sql<EntryRow>`select ${ENTRY_COLUMNS} from ledger_entries e
      where e.reservation_id is null and ${CUSTOMER} = ${accountId} and e.seq > ${from} order by e.seq limit ${sql.lit(ENTRIES_PER_READ)}`));
    acts.push(...rows.map((row) => entryFromRow(row, accountId)));
    from = rows.length < ENTRIES_PER_READ ? null : rows.at(-1)?.seq ?? null;
  }
  return acts;
}

/** The cross join fixes the order of the join in SQLite: first the account's settlements, then the entry of each. */
function chargesOf(settlements: RawBuilder<unknown>, kind: 'charge' | 'late-charge', { after }: After): RawBuilder<EntryRow> {
  return sql<EntryRow>`select ${ENTRY_COLUMNS} from ${settlements} and e.reservation_id = s.reservation_id and e.kind = ${sql.lit(kind)} and e.seq > ${after}`;
}

export interface ChargesToRead extends After {
  /** Only charges of requests that ended at this time or later, and late charges that were settled then or later. */
  readonly since: bigint;
  readonly onCharge: (charge: AccountEntry) => void;
}

/** Reads charges page by page, in no particular order. */
export function* readCharges(queries: Queries, given: ChargesToRead): Script<void> {
  const { accountId, since, onCharge } = given;
  const add = (rows: readonly EntryRow[]): void => {
    for (const row of rows) onCharge(entryFromRow(row, accountId));
  };
  yield* readRecordPages(queries, given, function* readPage(isOnPage) {
    add(yield* rowsOf(compilable(queries, chargesOf(sql`usage_records s cross join ledger_entries e where ${isOnPage}`, 'charge', given))));
  });
  add(yield* rowsOf(compilable(queries, chargesOf(
    sql`late_settlements s cross join ledger_entries e where s.account_id = ${accountId} and s.settled_at >= ${since}`, 'late-charge', given))));
}

interface NewestEntries extends After {
  /** At most `most` entries after this number are examined, including those of other accounts. */
  readonly from: bigint;
  readonly most: number;
}

/** The account's charges among the examined entries, in no particular order. */
export function* chargesAmongNewest(queries: Queries, { accountId, after, from, most }: NewestEntries): Script<readonly AccountEntry[]> {
  const rows = yield* rowsOf(compilable(queries, sql<EntryRow>`
    select ${ENTRY_COLUMNS} from (select seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, expires_at, at from ledger_entries where seq > ${from} order by seq limit ${sql.lit(most)}) e
    where e.debit_account = ${accountId} and e.reservation_id is not null and e.seq > ${after}`));
  return rows.map((row) => entryFromRow(row, accountId));
}

const REQUESTS_PER_READ = 500;

/** Numbers of the ledger entries by which these requests were settled: charges and write-offs, also late ones. */
export function* entriesOfRequests(queries: Queries, requests: readonly RequestId[]): Script<readonly bigint[]> {
  const entries: bigint[] = [];
  for (const some of portionsOf(requests, REQUESTS_PER_READ)) {
    const rows = yield* rowsOf(compilable(queries, sql<{ readonly seq: bigint }>`select e.seq from usage_records u cross join ledger_entries e
      where u.request_id in (${sql.join(some)}) and e.reservation_id = u.reservation_id`));
    entries.push(...rows.map(({ seq }) => seq));
  }
  return entries;
}

/** True if one of the requests was charged at or before this entry. */
export function* isChargedThrough(queries: Queries, requests: readonly RequestId[], through: bigint): Script<boolean> {
  if (requests.length === 0 || through === 0n) return false;
  const row = yield* firstOf(compilable(queries, sql<{ readonly seq: bigint }>`select e.seq from usage_records u cross join ledger_entries e
    where u.request_id in (${sql.join(requests)}) and e.reservation_id = u.reservation_id and e.seq <= ${through} limit 1`));
  return row !== null;
}

export function* newestEntry(queries: Queries): Script<bigint> {
  const row = yield* firstOf(queries.selectFrom('ledger_entries').select('seq').orderBy('seq', 'desc').limit(1));
  return row?.seq ?? 0n;
}
