import { type RawBuilder, sql } from 'kysely';
import { showAmount } from './balance-checks.js';
import type { DifferenceRow, LedgerCheck } from './ledger-check.js';

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
