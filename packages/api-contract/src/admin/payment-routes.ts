import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { id, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { payment, paymentDetail, paymentFilters, paymentParams as params, paymentRefund } from '../shapes/payment.js';
import { ofAccount } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

export const adminPaymentRoutes = {
  listPayments: defineAdminRoute({
    method: 'get', path: '/payments', access: 'accounts:read', summary: 'Payments of all accounts, newest first.',
    query: z.strictObject({
      ...paymentFilters, account: ofAccount('payments'), limit: pageLimit(PAGE_SIZES.payments.admin).describe('How many items the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.'),
    }),
    reply: pageOf(payment),
  }),
  readPayment: defineAdminRoute({ method: 'get', path: '/payments/{id}', access: 'accounts:read', summary: 'One payment with its refunds and disputes.', params, reply: paymentDetail }),
  refundPayment: defineAdminRoute({
    method: 'post', path: '/payments/{id}/refund', access: 'money:write', status: 202,
    summary: 'Asks the provider to refund a payment or a part of it. The tokens are taken when the provider reports the refund.', params, body: paymentRefund, reply: payment,
  }),
  checkPayment: defineAdminRoute({
    method: 'post', path: '/payments/{id}/check', access: 'money:write', summary: 'Asks the provider about a payment, and books what it says.', params, reply: payment,
  }),
} as const;
