import { VOUCHER_PREFIX } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import type { DifferenceRow, LedgerCheck } from './sql-ledger-audit.js';
import { showAmount } from './sum-checks.js';

const REFERENCE = sql`p.provider || ':' || p.id`;
const ADJUSTED = sql`payment_adjustments a join payments p on p.id = a.payment_id`;

/** Credits according to payments and vouchers. `figure` is the change of the balance, with its sign. */
const EXPECTED = sql`
  select p.account_id as account, 'payment' as kind, ${REFERENCE} as reference, p.tokens as figure from payments p where p.booked_at is not null
  union all
  select p.account_id, 'payment-refund', ${REFERENCE} || ':refund:' || a.id, case when a.status = 'failed' then 0 else a.uncovered - a.claimed end
  from ${ADJUSTED} where a.kind = 'refund'
  union all
  select p.account_id, 'dispute', ${REFERENCE} || ':dispute:' || a.id, case when a.status = 'won' then 0 else a.uncovered - a.claimed end
  from ${ADJUSTED} where a.kind = 'dispute'
  union all
  select u.account_id, 'voucher', ${sql.lit(VOUCHER_PREFIX)} || u.voucher_id || ':' || u.account_id, u.amount from voucher_uses u`;

/** Credits according to the ledger. What a refund or dispute took is added up with what was returned when it failed or was won. */
const FOUND = sql`
  select ${CUSTOMER} as account, e.kind as kind,
    case when e.kind = 'dispute' and substr(e.reference, length(e.reference) - 3) = ':won' then substr(e.reference, 1, length(e.reference) - 4)
      when e.kind = 'payment-refund' and substr(e.reference, length(e.reference) - 6) = ':failed' then substr(e.reference, 1, length(e.reference) - 7) else e.reference end as reference,
    case when substr(e.credit_account, 1, 7) = 'system:' then -e.amount else e.amount end as figure
  from ledger_entries e where e.reservation_id is null and e.kind in ('payment', 'payment-refund', 'dispute', 'voucher')`;

/** Failed refunds and won disputes of deleted accounts, which get nothing back. */
const KEPT_FROM_DELETED = sql`
  select p.account_id as account, case when a.kind = 'refund' then 'payment-refund' else a.kind end as kind, ${REFERENCE} || ':' || a.kind || ':' || a.id as reference
  from ${ADJUSTED} join accounts o on o.id = p.account_id where a.status in ('won', 'failed') and o.status = 'deleted'`;

const BOOKED_ONCE: LedgerCheck = {
  invariant: 'I15',
  show: showAmount,
  query: sql<DifferenceRow>`
    select s.account as account_id, s.expected as expected, s.found as found from (
      select account, kind, reference, cast(sum(expected) as bigint) as expected, cast(sum(found) as bigint) as found from (
        select account, kind, reference, figure as expected, 0 as found from (${EXPECTED}) expectations
        union all
        select account, kind, reference, 0 as expected, figure as found from (${FOUND}) findings) credits
      group by account, kind, reference having sum(expected) <> sum(found)) s
    where not exists (select 1 from (${KEPT_FROM_DELETED}) k where k.kind = s.kind and k.account = s.account and k.reference = s.reference)`,
};

interface Counted {
  readonly counts: RawBuilder<DifferenceRow>;
  readonly show: LedgerCheck['show'];
}

function counted({ counts, show }: Counted): LedgerCheck {
  return { invariant: 'I16', show, query: sql<DifferenceRow>`select account_id, expected, found from (${counts}) counted where expected <> found` };
}

const showUses = (figure: string | bigint): string => `${figure} uses`;

/**
 * I15: each payment, refund, dispute and use of a voucher has the entry that it requires, and each such entry has its origin. I16: the sums stored in
 * payments, vouchers and batches are correct.
 */
export const CREDIT_CHECKS: readonly LedgerCheck[] = [
  BOOKED_ONCE,
  counted({
    show: showAmount,
    counts: sql`select p.account_id as account_id, p.uncovered as found,
      (select cast(coalesce(sum(a.uncovered), 0) as bigint) from payment_adjustments a where a.payment_id = p.id) as expected from payments p`,
  }),
  counted({
    show: (figure) => `${figure} refunded in the smallest unit`,
    counts: sql`select p.account_id as account_id, p.refunded as found,
      (select cast(coalesce(sum(a.amount), 0) as bigint) from payment_adjustments a where a.payment_id = p.id and a.kind = 'refund' and a.status <> 'failed') as expected from payments p`,
  }),
  counted({
    show: showUses,
    counts: sql`select null as account_id, v.uses as found, coalesce(u.uses, 0) as expected
      from vouchers v left join (select voucher_id, count(*) as uses from voucher_uses group by voucher_id) u on u.voucher_id = v.id`,
  }),
  counted({
    show: showUses,
    counts: sql`select null as account_id, b.uses as found, coalesce(u.uses, 0) as expected
      from voucher_batches b left join (select batch_id, count(*) as uses from voucher_uses group by batch_id) u on u.batch_id = b.id`,
  }),
];
