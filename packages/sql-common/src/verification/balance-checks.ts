import { ServiceTokens } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { SYSTEM_ACCOUNTS } from '../ledger/ledger-rows.js';
import type { DifferenceRow, LedgerCheck } from './sql-ledger-audit.js';

export function showAmount(figure: string | bigint): string {
  return ServiceTokens.fromUnits(BigInt(figure)).toString();
}

const SYSTEM = sql.join(SYSTEM_ACCOUNTS.map((account) => sql.lit(account)));
/** Every transfer twice: to one side, and from the other. */
const MOVEMENTS = sql`(
  select credit_account as account, amount from ledger_entries
  union all select debit_account as account, -amount as amount from ledger_entries)`;

/** I1 to I4: what accounts show against what their reservations and entries sum to. */
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

const HELD = sql`
  select account_id, key_lineage as lineage, key_period as period, amount as figure from reservations where key_lineage is not null and state = 'held'`;
const CHARGED = sql`
  select r.account_id as account_id, r.key_lineage as lineage, r.key_period as period, u.charge + coalesce(l.charge, 0) as figure
  from reservations r join usage_records u on u.reservation_id = r.id left join late_settlements l on l.reservation_id = r.id
  where r.key_lineage is not null`;

/** What counts against the limit of each key and period, and what it should be. */
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

/** I10: what counts against a key's limit is what its reservations hold, and what its requests were charged. */
export const KEY_CHECKS: readonly LedgerCheck[] = [sameInEachPeriod(HELD, 'reserved'), sameInEachPeriod(CHARGED, 'spent')];
