import type { Row } from '../books/database-view.js';

const MOVEMENTS = `(select credit_account as account, amount from ledger_entries
  union all select debit_account as account, -amount as amount from ledger_entries) movements`;
const CHARGES = `(select account_id, day, charge as recorded, 0 as booked, 0 as summed from usage_records
  union all select account_id, day, charge, 0, 0 from late_settlements
  union all select debit_account, day, 0, amount, 0 from ledger_entries where kind in ('charge', 'late-charge')
  union all select account_id, day, 0, 0, charge from usage_daily) charges`;

/**
 * I1 to I5 and I7. Each query must have no result. The product's own audit runs too, but these queries are written independently, so that the two do
 * not share a mistake.
 */
export const BALANCE_QUERIES: readonly (readonly [invariant: string, query: string])[] = [
  ['I1', 'select id, balance, reserved from accounts where balance < 0 or reserved < 0 or balance < reserved'],
  ['I2', `select a.id, a.reserved, coalesce(h.amount, 0) from accounts a
    left join (select account_id, sum(amount) as amount from reservations where state = 'held' group by account_id) h on h.account_id = a.id
    where a.reserved <> coalesce(h.amount, 0)`],
  ['I3', `select a.id, a.balance, coalesce(m.amount, 0) from accounts a
    left join (select account, sum(amount) as amount from ${MOVEMENTS} group by account) m on m.account = a.id
    where a.balance <> coalesce(m.amount, 0)`],
  ['I4', `select c.amount, s.amount from (select coalesce(sum(balance), 0) as amount from accounts) c,
    (select coalesce(sum(amount), 0) as amount from ${MOVEMENTS} where account not in (select id from accounts)) s
    where c.amount + s.amount <> 0`],
  ['I5', `select r.id, r.state, u.request_id from reservations r left join usage_records u on u.reservation_id = r.id
    where (r.state = 'held' and u.request_id is not null) or (r.state <> 'held' and u.request_id is null)`],
  ['I5', 'select reservation_id, kind, count(*) from ledger_entries where reservation_id is not null group by reservation_id, kind having count(*) > 1'],
  ['I7', `select account_id, day, sum(recorded), sum(booked), sum(summed) from ${CHARGES}
    group by account_id, day having sum(recorded) <> sum(booked) or sum(recorded) <> sum(summed)`],
];

export function unbalanced(found: readonly (readonly Row[])[]): readonly string[] {
  return found.flatMap((rows, place) => rows.map((row) => `${BALANCE_QUERIES[place]?.[0] ?? ''}: ${row.join(', ')}`));
}
