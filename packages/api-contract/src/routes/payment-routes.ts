import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { id, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import {
  creditOffer, payment, paymentDetail, paymentFilters, paymentHealth, paymentParams as params, paymentRefund, paymentStart, simulatedAct, simulatedCheckout,
} from '../shapes/payment.js';

const page = { limit: pageLimit(PAGE_SIZES.payments.dashboard).describe('How many items the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.') };
const checkoutParams = z.strictObject({ reference: id.describe('The reference of the checkout.') });

export const paymentRoutes = {
  readCreditOffer: defineRoute({ method: 'get', path: '/credit-offer', access: 'owner', summary: 'What owners can buy, and from which provider.', reply: creditOffer }),
  startPayment: defineRoute({
    method: 'post', path: '/payments', access: 'owner', status: 201, summary: 'Starts a payment for a package or an amount. The owner pays at its `checkout_url`.', body: paymentStart, reply: payment,
  }),
  listPayments: defineRoute({ method: 'get', path: '/payments', access: 'owner', summary: 'Payments of the account, newest first.', query: z.strictObject(page), reply: listOf(payment) }),
  readPayment: defineRoute({
    method: 'get', path: '/payments/{id}', access: 'owner', isPolled: true, summary: 'One payment. The provider is asked first if the payment is open.', params, reply: paymentDetail,
  }),
  readSimulatedCheckout: defineRoute({
    method: 'get', path: '/simulated-checkouts/{reference}', access: 'owner', summary: 'A checkout of the sandbox, where no money moves.', params: checkoutParams, reply: simulatedCheckout,
  }),
  actInSimulatedCheckout: defineRoute({
    method: 'post', path: '/simulated-checkouts/{reference}', access: 'owner', openTo: 'inactive',
    summary: 'Pays, declines or disputes a checkout of the sandbox, as a customer or bank would. An act that does not apply changes nothing.', params: checkoutParams, body: simulatedAct, reply: simulatedCheckout,
  }),
  listAllPayments: defineRoute({
    method: 'get', path: '/operator/payments', access: 'operator', summary: 'Payments of all accounts, newest first.', query: z.strictObject({ ...paymentFilters, ...page }), reply: listOf(payment),
  }),
  readAnyPayment: defineRoute({ method: 'get', path: '/operator/payments/{id}', access: 'operator', summary: 'One payment of any account.', params, reply: paymentDetail }),
  refundPayment: defineRoute({
    method: 'post', path: '/operator/payments/{id}/refund', access: 'operator', fresh: true, status: 202,
    summary: 'Asks the provider to refund a payment or a part of it. The tokens are taken when the provider reports the refund.', params, body: paymentRefund, reply: payment,
  }),
  checkPayment: defineRoute({ method: 'post', path: '/operator/payments/{id}/check', access: 'operator', summary: 'Asks the provider about a payment, and books what it says.', params, reply: payment }),
  readPaymentHealth: defineRoute({ method: 'get', path: '/operator/payment-health', access: 'operator', summary: 'How many payments are open, not booked or not covered, and when the provider was asked.', reply: paymentHealth }),
} as const;
