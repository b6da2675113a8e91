import type { PaymentId } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';

/** Sum of requested refunds of a payment that no report contains yet. */
export function* pendingRefunds(queries: Queries, paymentId: PaymentId): Script<bigint> {
  const reported = queries.selectFrom('payment_adjustments').select('id').where('payment_id', '=', paymentId).where('kind', '=', 'refund');
  const rows = yield* rowsOf(queries.selectFrom('payment_refunds').select('amount').where('payment_id', '=', paymentId).where('state', 'in', ['requested', 'accepted'])
    .where((row) => row.or([row('reference', 'is', null), row('reference', 'not in', reported)])));
  return rows.reduce((sum, { amount }) => sum + amount, 0n);
}
