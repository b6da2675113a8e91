import {
  type AccountId, type ApiKeyId, type ChargeKind, instant, type Instant, later, MILLISECONDS_PER_DAY, type ModelSlug, type MoneyActKind, type RequestId, ServiceTokens, StatementBuilder, utcDayOf,
} from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { instantFromColumn } from '../schema/column-values.js';
import { compilable, type Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import { readRecordPages } from '../usage/record-pages.js';

const ENTRIES_PER_READ = 500;

/** Requests that ended more than this before the end of the previous month are read only if the balance shows that a charge is missing. */
const LOOK_BACK_MILLISECONDS = 2 * MILLISECONDS_PER_DAY;

/** The part of the ledger that the statements of an account contain. */
export interface StatedThrough {
  readonly closing: ServiceTokens;
  /** `ends_at`, `through_entry` and `complete_through` of the last statement; zero without one. */
  readonly endsAt: Instant;
  readonly throughEntry: bigint;
  readonly completeThrough: bigint;
}

export const NOTHING_STATED: StatedThrough = { closing: ServiceTokens.ZERO, endsAt: instant(0), throughEntry: 0n, completeThrough: 0n };

export interface AccountMonth {
  readonly accountId: AccountId;
  readonly previous: StatedThrough;
  readonly endsAt: Instant;
  /** Number of the last entry that is read; `null` without a limit. */
  readonly visibleThrough: bigint | null;
}

export interface ReadMonth {
  readonly builder: StatementBuilder;
  /** References by number of the entry. */
  readonly references: Readonly<Record<string, string>>;
  readonly through: Pick<StatedThrough, 'throughEntry' | 'completeThrough'>;
  /** Balance after all entries that are read, including those of later months. */
  readonly balance: ServiceTokens;
}

interface ChargeRow {
  readonly day_number: bigint;
  readonly inside: bigint;
  readonly model: string | null;
  readonly key_id: string | null;
  readonly entries: bigint;
  readonly amount: bigint;
  readonly first_entry: bigint;
  readonly last_entry: bigint;
}

/** Collects the entries of an account. Those of later months are only added to the balance. */
class MonthReading {
  readonly builder: StatementBuilder;
  readonly references: Record<string, string> = {};
  #later = ServiceTokens.ZERO;
  #last: bigint;
  #firstLater: bigint | null = null;

  constructor(private readonly month: AccountMonth) {
    this.builder = new StatementBuilder(month.previous.closing);
    this.#last = month.previous.throughEntry;
  }

  addCharges(kind: ChargeKind, row: ChargeRow): void {
    const amount = ServiceTokens.fromUnits(-row.amount);
    if (!this.#isInside(row.inside === 1n, { first: row.first_entry, last: row.last_entry, amount })) return;
    this.builder.addCharges(kind, {
      day: utcDayOf(instant(Number(row.day_number) * MILLISECONDS_PER_DAY)), model: row.model as ModelSlug | null, keyId: row.key_id as ApiKeyId | null, entries: Number(row.entries), amount,
    });
  }

  addEntry(row: EntryRow): void {
    const { accountId, endsAt } = this.month;
    const amount = ServiceTokens.fromUnits(row.debit_account === accountId ? -row.amount : row.amount);
    const at = instantFromColumn(row.at);
    if (!this.#isInside(at < endsAt, { first: row.seq, last: row.seq, amount })) return;
    this.builder.addEntry({ number: String(row.seq), kind: row.kind as MoneyActKind, amount, requestId: row.request_id as RequestId | null, at });
    if (row.reference !== null) this.references[String(row.seq)] = row.reference;
  }

  result(): ReadMonth {
    const { builder, references } = this;
    const completeThrough = this.#firstLater === null ? this.#last : this.#firstLater - 1n;
    return { builder, references, through: { throughEntry: this.#last, completeThrough }, balance: builder.closing.plus(this.#later) };
  }

  #isInside(inside: boolean, { first, last, amount }: { readonly first: bigint; readonly last: bigint; readonly amount: ServiceTokens }): boolean {
    if (last > this.#last) this.#last = last;
    if (inside) return true;
    this.#later = this.#later.plus(amount);
    if (this.#firstLater === null || first < this.#firstLater) this.#firstLater = first;
    return false;
  }
}

/** True for entries that are to be read and are in no earlier statement. */
function isUnstated({ previous, visibleThrough }: AccountMonth, bookedAt: RawBuilder<unknown>): RawBuilder<boolean> {
  const visible = visibleThrough === null ? sql`` : sql`and e.seq <= ${visibleThrough}`;
  return sql<boolean>`(e.seq > ${previous.throughEntry} or ${bookedAt} >= ${BigInt(previous.endsAt)}) ${visible}`;
}

/** Charges of settlements. In `settlements`, the settlement is named `s`, and its ledger entry `e`. */
function chargesOf(kind: ChargeKind, month: AccountMonth, { key, settlements }: { readonly key: RawBuilder<unknown>; readonly settlements: RawBuilder<unknown> }): RawBuilder<ChargeRow> {
  return sql<ChargeRow>`
    select day_number, inside, model, key_id, count(*) as entries, cast(sum(amount) as bigint) as amount, min(seq) as first_entry, max(seq) as last_entry from (
      select e.seq as seq, e.amount as amount, s.settled_at / 86400000 as day_number,
        case when s.settled_at < ${BigInt(month.endsAt)} then cast(1 as bigint) else cast(0 as bigint) end as inside, s.served_by as model, ${key} as key_id
      from ${settlements}
        and e.reservation_id = s.reservation_id and e.kind = ${sql.lit(kind)} and e.debit_account = ${month.accountId} and ${isUnstated(month, sql`s.settled_at`)}) found
    group by day_number, inside, model, key_id`;
}

/** The cross join fixes the order of the join in SQLite: first the account's settlements, then the entry of each. */
function recordCharges(month: AccountMonth, isOnPage: RawBuilder<unknown>): RawBuilder<ChargeRow> {
  return chargesOf('charge', month, { key: sql`s.key_id`, settlements: sql`usage_records s cross join ledger_entries e where ${isOnPage}` });
}

function lateCharges(month: AccountMonth, since: bigint): RawBuilder<ChargeRow> {
  return chargesOf('late-charge', month, {
    key: sql`u.key_id`,
    settlements: sql`late_settlements s cross join ledger_entries e cross join usage_records u
      where s.account_id = ${month.accountId} and s.settled_at >= ${since} and u.reservation_id = s.reservation_id`,
  });
}

function* readCharges(queries: Queries, month: AccountMonth, { reading, since }: { readonly reading: MonthReading; readonly since: bigint }): Script<void> {
  yield* readRecordPages(queries, { accountId: month.accountId, since }, function* readPage(isOnPage) {
    for (const row of yield* rowsOf(compilable(queries, recordCharges(month, isOnPage)))) reading.addCharges('charge', row);
  });
  for (const row of yield* rowsOf(compilable(queries, lateCharges(month, since)))) reading.addCharges('late-charge', row);
}

interface EntryRow {
  readonly seq: bigint;
  readonly kind: string;
  readonly debit_account: string;
  readonly amount: bigint;
  readonly request_id: string | null;
  readonly reference: string | null;
  readonly at: bigint;
}

function* readEntries(queries: Queries, month: AccountMonth, reading: MonthReading): Script<void> {
  for (let after: bigint | null = month.previous.completeThrough; after !== null;) {
    const rows: readonly EntryRow[] = yield* rowsOf(compilable(queries, sql<EntryRow>`
      select e.seq, e.kind, e.debit_account, e.amount, e.request_id, e.reference, e.at from ledger_entries e
      where e.reservation_id is null and ${CUSTOMER} = ${month.accountId} and e.seq > ${after} and ${isUnstated(month, sql`e.at`)}
      order by e.seq limit ${sql.lit(ENTRIES_PER_READ)}`));
    for (const row of rows) reading.addEntry(row);
    after = rows.length < ENTRIES_PER_READ ? null : rows.at(-1)?.seq ?? null;
  }
}

function* readSince(queries: Queries, month: AccountMonth, since: bigint): Script<ReadMonth> {
  const reading = new MonthReading(month);
  yield* readCharges(queries, month, { reading, since });
  yield* readEntries(queries, month, reading);
  return reading.result();
}

/** Reads the entries of a month from the ledger. If `isWhole` returns false, also reads requests that ended long before they were settled. */
export function* readAccountMonth(queries: Queries, month: AccountMonth, isWhole: (read: ReadMonth) => boolean): Script<ReadMonth> {
  const since = Math.max(0, later(month.previous.endsAt, -LOOK_BACK_MILLISECONDS));
  const read = yield* readSince(queries, month, BigInt(since));
  return since === 0 || isWhole(read) ? read : yield* readSince(queries, month, 0n);
}
