import { REVERSAL_PREFIX, ServiceTokens } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { SYSTEM_ACCOUNTS } from '../money/system-accounts.js';
import { allTokens } from '../schema/token-columns.js';
import type { DifferenceRow, LedgerCheck } from './sql-ledger-audit.js';

export function showAmount(figure: string | bigint): string {
  return ServiceTokens.fromUnits(BigInt(figure)).toString();
}

const SYSTEM = sql.join(SYSTEM_ACCOUNTS.map((account) => sql.lit(account)));
/** Each entry twice: positive for the account that receives, negative for the one that pays. */
const MOVEMENTS = sql`(
  select credit_account as account, amount from ledger_entries
  union all select debit_account as account, -amount as amount from ledger_entries)`;

/** I1 to I4: accounts agree with their reservations and entries. */
export const BALANCE_CHECKS: readonly LedgerCheck[] = [
  {
    invariant: 'I1',
    show: showAmount,
    query: sql<DifferenceRow>`
      select id as account_id, 0 as expected, case when balance < 0 then balance when reserved < 0 then reserved else balance - reserved end as found
      from accounts where balance < 0 or reserved < 0 or balance - reserved < 0`,
  },
  {
    invariant: 'I2',
    show: showAmount,
    query: sql<DifferenceRow>`
      select a.id as account_id, coalesce(held.amount, 0) as expected, a.reserved as found
      from accounts a left join (
        select account_id, cast(sum(amount) as bigint) as amount from reservations where state = 'held' group by account_id
      ) held on held.account_id = a.id
      where a.reserved <> coalesce(held.amount, 0)`,
  },
  {
    invariant: 'I3',
    show: showAmount,
    query: sql<DifferenceRow>`
      select a.id as account_id, coalesce(moved.amount, 0) as expected, a.balance as found
      from accounts a left join (
        select account, cast(sum(amount) as bigint) as amount from ${MOVEMENTS} movements group by account
      ) moved on moved.account = a.id
      where a.balance <> coalesce(moved.amount, 0)`,
  },
  {
    invariant: 'I4',
    show: showAmount,
    query: sql<DifferenceRow>`
      select null as account_id, 0 as expected, customers.amount + houses.amount as found
      from (select cast(coalesce(sum(balance), 0) as bigint) as amount from accounts) customers,
        (select cast(coalesce(sum(amount), 0) as bigint) as amount from ${MOVEMENTS} movements where account in (${SYSTEM})) houses
      where customers.amount + houses.amount <> 0`,
  },
];

type Figure = RawBuilder<unknown>;

/** Reversed amount of the request of the record `u`. */
export const REVERSED = sql`coalesce((
  select cast(sum(e.amount) as bigint) from ledger_entries e
  where e.reference = ${sql.lit(REVERSAL_PREFIX)} || u.request_id and e.kind = 'refund' and e.request_id = u.request_id), 0)`;

const HELD = sql`
  select account_id, key_lineage as lineage, key_period as period, amount as figure from reservations where key_lineage is not null and state = 'held'`;
const CHARGED_TO_KEYS = sql`
  select r.account_id as account_id, r.key_lineage as lineage, r.key_period as period, u.charge + coalesce(l.charge, 0) - ${REVERSED} as figure
  from reservations r join usage_records u on u.reservation_id = r.id left join late_settlements l on l.reservation_id = r.id
  where r.key_lineage is not null`;

/** Stored and expected figures are equal for each key and period. */
function sameInEachPeriod(expected: Figure, column: 'reserved' | 'spent'): LedgerCheck {
  return {
    invariant: 'I10',
    show: showAmount,
    query: sql<DifferenceRow>`
      select max(account_id) as account_id, cast(sum(expected) as bigint) as expected, cast(sum(found) as bigint) as found from (
        select account_id, lineage, period, figure as expected, 0 as found from (${expected}) expectations
        union all
        select k.account_id as account_id, s.lineage, s.period, 0 as expected, ${sql.ref(`s.${column}`)} as found
        from key_spending s left join api_keys k on k.id = s.lineage) periods
      group by lineage, period having sum(expected) <> sum(found)`,
  };
}

/** I10: the spending of a key equals what its reservations hold and what its requests were charged, less reversals. */
export const KEY_CHECKS: readonly LedgerCheck[] = [sameInEachPeriod(HELD, 'reserved'), sameInEachPeriod(CHARGED_TO_KEYS, 'spent')];

/** Days of an account on which the figures of two sources differ. */
function sameEachDay(expected: Figure, found: Figure): RawBuilder<DifferenceRow> {
  return sql<DifferenceRow>`
    select account_id, cast(sum(expected) as bigint) as expected, cast(sum(found) as bigint) as found from (
      select account_id, day, figure as expected, 0 as found from (${expected}) expectations
      union all select account_id, day, 0 as expected, figure as found from (${found}) findings) days
    group by account_id, day having sum(expected) <> sum(found)`;
}

interface Recorded {
  readonly charged: Figure;
  readonly requests: Figure;
  readonly used: Figure;
}

/** Figures as readers see them, in which a late settlement replaces the ending of the swept record. */
function ofRecords(figure: Figure, where: Figure): Figure {
  return sql`
    select u.account_id as account_id, u.day as day, ${figure} as figure
    from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id where ${where}`;
}

function recorded(where: Figure, charged: Figure): Recorded {
  return { charged, requests: ofRecords(sql`1`, where), used: ofRecords(sql`coalesce(${allTokens('l')}, ${allTokens('u')})`, where) };
}

const ALL = sql`true`;
const OF_USERS = sql`attribution is not null`;

const CHARGED = sql`
  select account_id, day, charge as figure from usage_records
  union all select account_id, day, charge as figure from late_settlements`;
const CHARGED_TO_USERS = ofRecords(sql`u.charge + coalesce(l.charge, 0)`, OF_USERS);
const BOOKED = sql`select debit_account as account_id, day, amount as figure from ledger_entries where kind in ('charge', 'late-charge')`;

function rolledUp(table: string, figure: Figure): Figure {
  return sql`select account_id, day, ${figure} as figure from ${sql.table(table)}`;
}

function rollUpChecks(table: string, { charged, requests, used }: Recorded): readonly LedgerCheck[] {
  return [
    { invariant: 'I7', show: showAmount, query: sameEachDay(charged, rolledUp(table, sql`charge`)) },
    { invariant: 'I7', show: (figure) => `${figure} requests`, query: sameEachDay(requests, rolledUp(table, sql`requests`)) },
    { invariant: 'I7', show: (figure) => `${figure} tokens`, query: sameEachDay(used, rolledUp(table, allTokens())) },
  ];
}

/** I7: usage records, ledger entries and daily sums agree for each day of each account. */
export const DAILY_CHECKS: readonly LedgerCheck[] = [
  { invariant: 'I7', show: showAmount, query: sameEachDay(CHARGED, BOOKED) },
  ...rollUpChecks('usage_daily', recorded(ALL, CHARGED)),
  ...rollUpChecks('usage_daily_users', recorded(OF_USERS, CHARGED_TO_USERS)),
];
