import { type Payment, paymentReferenceOf, ServiceTokens, smallerOf } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';

/** Tokens of a payment's credit that have expired. An expiry takes what is left of the credit, at most what is available. */
export function* expiredTokens(queries: Queries, payment: Payment): Script<ServiceTokens> {
  const { accountId, bookedAt, creditExpiresAfterDays = null } = payment;
  if (bookedAt === null || creditExpiresAfterDays === null) return ServiceTokens.ZERO;
  const credit = yield* firstOf(queries.selectFrom('ledger_entries').select('seq').where('kind', '=', 'payment').where('credit_account', '=', accountId).where('reference', '=', paymentReferenceOf(payment)));
  if (credit === null) return ServiceTokens.ZERO;
  const expiries = yield* rowsOf(queries.selectFrom('credit_expiries').select(['left_before', 'available']).where('account_id', '=', accountId).where('credit_entry', '=', credit.seq));
  return expiries.reduce((sum, { left_before: left, available }) => sum.plus(smallerOf(ServiceTokens.fromUnits(left), ServiceTokens.fromUnits(available))), ServiceTokens.ZERO);
}
