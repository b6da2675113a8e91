import { type AccountId, chargeOfEnding, type LedgerAudit, type LedgerDifference, type LedgerVerification, REVENUE, statedCostOf, WRITE_OFFS } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { PURCHASE_COLUMNS, USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import { storableUnits } from '../money/balance-rows.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { type PurchaseRow, usageRecordFromRow, type UsageRecordRow } from '../usage/usage-rows.js';
import { compareEvents, completeEventsSince, eventCountCheck } from './check-events.js';
import { compareCredits } from './check-credits.js';
import { CREDIT_CHECKS } from './credit-checks.js';
import { BALANCE_CHECKS, DAILY_CHECKS, KEY_CHECKS, REVERSED, showAmount } from './sum-checks.js';

function showCount(noun: string): (figure: string | bigint) => string {
  return (figure) => `${figure} ${noun}`;
}

/** A reservation has at most one entry of this kind. The unique index ensures this, but a check must not rely on it. */
function atMostOne(kind: string): LedgerCheck {
  return {
    invariant: 'I5',
    show: showCount(`${kind} entries of one reservation`),
    query: sql<DifferenceRow>`
      select min(debit_account) as account_id, 1 as expected, count(*) as found from ledger_entries
      where kind = ${sql.lit(kind)} group by reservation_id having count(*) > 1`,
  };
}

interface RecordedAmount {
  readonly table: 'usage_records' | 'late_settlements';
  readonly column: 'charge' | 'write_off';
  readonly kind: string;
}

/** An amount in a record equals that of its ledger entry, and each entry has a record. */
function statedTwice({ table, column, kind }: RecordedAmount): LedgerCheck {
  const debtor: RawBuilder<unknown> = column === 'charge' ? sql`r.account_id` : sql.lit(WRITE_OFFS);
  const amount = sql.ref(`r.${column}`);
  return {
    invariant: 'I9',
    show: showAmount,
    query: sql<DifferenceRow>`
      select r.account_id as account_id, ${amount} as expected, coalesce(e.amount, 0) as found
      from ${sql.table(table)} r left join ledger_entries e on e.reservation_id = r.reservation_id and e.kind = ${sql.lit(kind)}
      where coalesce(e.amount, 0) <> ${amount}
        or (e.amount is not null and (e.debit_account <> ${debtor} or e.credit_account <> ${sql.lit(REVENUE)}))
      union all
      select e.debit_account as account_id, 0 as expected, e.amount as found
      from ledger_entries e left join ${sql.table(table)} r on r.reservation_id = e.reservation_id
      where e.kind = ${sql.lit(kind)} and r.reservation_id is null`,
  };
}

/** A refund belongs to a request of its account. The refunds of a request do not exceed its charge. */
const REFUNDS: LedgerCheck = {
  invariant: 'I11',
  show: showAmount,
  query: sql<DifferenceRow>`
    select r.account as account_id, coalesce(u.charge, 0) + coalesce(l.charge, 0) as expected, r.amount as found
    from (
      select credit_account as account, request_id, cast(sum(amount) as bigint) as amount
      from ledger_entries where kind = 'refund' group by credit_account, request_id
    ) r left join usage_records u on u.request_id = r.request_id and u.account_id = r.account
      left join late_settlements l on l.reservation_id = u.reservation_id
    where r.amount > coalesce(u.charge, 0) + coalesce(l.charge, 0)`,
};

/** The charges of a purchase, less reversals, do not exceed the cost of its most expensive request. */
const PURCHASES: LedgerCheck = {
  invariant: 'I12',
  show: showAmount,
  query: sql<DifferenceRow>`
    select account_id, dearest as expected, charged as found from (
      select min(u.account_id) as account_id, cast(sum(u.charge + coalesce(l.charge, 0) - ${REVERSED}) as bigint) as charged,
        max(u.charge + u.write_off + p.covered + coalesce(l.charge + l.write_off + p.covered_late, 0)) as dearest
      from purchase_requests p join usage_records u on u.request_id = p.request_id
        left join late_settlements l on l.reservation_id = u.reservation_id
      group by p.purchase_id) sums
    where charged > dearest`,
};

const REQUEST_CHECKS: readonly LedgerCheck[] = [
  {
    invariant: 'I5',
    show: showCount('usage records of one reservation'),
    query: sql<DifferenceRow>`
      select account_id, expected, found from (
        select r.account_id as account_id, case when r.state = 'held' then 0 else 1 end as expected,
          (select count(*) from usage_records u where u.reservation_id = r.id) as found
        from reservations r) counted
      where expected <> found`,
  },
  {
    invariant: 'I5',
    show: showCount('reservations of one usage record'),
    query: sql<DifferenceRow>`
      select u.account_id as account_id, 1 as expected, 0 as found
      from usage_records u left join reservations r on r.id = u.reservation_id where r.id is null`,
  },
  REFUNDS,
  PURCHASES,
  atMostOne('charge'),
  atMostOne('late-charge'),
  statedTwice({ table: 'usage_records', column: 'charge', kind: 'charge' }),
  statedTwice({ table: 'usage_records', column: 'write_off', kind: 'write-off' }),
  statedTwice({ table: 'late_settlements', column: 'charge', kind: 'late-charge' }),
  statedTwice({ table: 'late_settlements', column: 'write_off', kind: 'late-write-off' }),
];

/** Maximum records per read, for which the event loop is blocked about 10 ms. */
const RECORDS_PER_READ = 200;

/**
 * The difference between the cost of a record's tokens at its prices and the sum of its charge, its write-off and the part covered by its purchase;
 * `null` for none.
 */
function differenceIn(row: UsageRecordRow, purchase: PurchaseRow | undefined): LedgerDifference | null {
  const record = usageRecordFromRow(row, purchase);
  const expected = chargeOfEnding(record, record).amount;
  const found = statedCostOf(record);
  const agrees = storableUnits(expected.toUnits()) === storableUnits(found.toUnits());
  return agrees ? null : { invariant: 'I9', accountId: record.accountId, expected: expected.toString(), found: found.toString() };
}

/** Recomputes the cost of every record from its tokens and prices. */
function* recomputeCharges(queries: Queries, maximumDifferences: number): Script<readonly LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  let checked = 0n;
  for (;;) {
    const rows = yield* rowsOf(queries.selectFrom('usage_records').select(USAGE_RECORD_COLUMNS)
      .where('seq', '>', checked).orderBy('seq').limit(RECORDS_PER_READ));
    const purchases = rows.length === 0 ? [] : yield* rowsOf(queries.selectFrom('purchase_requests').select(PURCHASE_COLUMNS)
      .where('request_id', 'in', rows.map((row) => row.request_id)));
    const byRequest = new Map(purchases.map((row) => [row.request_id, row]));
    differences.push(...rows.map((row) => differenceIn(row, byRequest.get(row.request_id))).filter((difference) => difference !== null));
    if (rows.length < RECORDS_PER_READ || differences.length >= maximumDifferences) return differences.slice(0, maximumDifferences);
    checked = rows.at(-1)?.seq ?? checked;
  }
}

/** A difference. The query returns one row for each, with both figures as text. */
export interface DifferenceRow {
  readonly account_id: string | null;
  readonly expected: string | bigint;
  readonly found: string | bigint;
}

/** A check whose query returns no row if the invariant holds. */
export interface LedgerCheck {
  readonly invariant: string;
  readonly query: RawBuilder<DifferenceRow>;
  readonly show: (figure: string | bigint) => string;
}

function differenceFromRow({ invariant, show }: LedgerCheck, row: DifferenceRow): LedgerDifference {
  return { invariant, accountId: row.account_id as AccountId | null, expected: show(row.expected), found: show(row.found) };
}

const CHECKS: readonly LedgerCheck[] = [...BALANCE_CHECKS, ...REQUEST_CHECKS, ...DAILY_CHECKS, ...KEY_CHECKS, ...CREDIT_CHECKS];
/** Maximum differences that one check reports. */
const MAX_DIFFERENCES = 100;

/** Checks the invariants I1 to I5, I7, I9 to I12 and I15 to I18 in one consistent state of the database. */
export class SqlLedgerAudit implements LedgerAudit {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  verify(): Promise<LedgerVerification> {
    return this.runner.readInBackground(() => this.checkAll());
  }

  private* checkAll(): Script<LedgerVerification> {
    const differences: LedgerDifference[] = [];
    for (const check of CHECKS) differences.push(...yield* this.check(check));
    differences.push(...yield* recomputeCharges(this.queries, MAX_DIFFERENCES));
    differences.push(...yield* this.check(eventCountCheck(yield* completeEventsSince(this.queries))), ...yield* compareEvents(this.queries, MAX_DIFFERENCES), ...yield* compareCredits(this.queries, MAX_DIFFERENCES));
    return {
      accounts: yield* this.count('accounts'),
      entries: yield* this.count('ledger_entries'),
      usageRecords: yield* this.count('usage_records'),
      differences,
    };
  }

  private* check(check: LedgerCheck): Script<readonly LedgerDifference[]> {
    const limited = sql<Parameters<typeof differenceFromRow>[1]>`select account_id, expected, found from (${check.query}) differences limit ${sql.lit(MAX_DIFFERENCES)}`;
    const rows = yield* rowsOf(compilable(this.queries, limited));
    return rows.map((row) => differenceFromRow(check, row));
  }

  private* count(table: 'accounts' | 'ledger_entries' | 'usage_records'): Script<number> {
    const row = yield* firstOf(this.queries.selectFrom(table).select(({ fn }) => fn.countAll<bigint>().as('rows')));
    return Number(row?.rows ?? 0);
  }
}
