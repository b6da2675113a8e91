import type { PaymentId } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { encodePayment, encodePaymentDetail } from '@tollgate/wire-kit';
import { findPayment, listPayments } from '../../dashboard/routes/payments.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';

/** The same acts as on the dashboard. */
export function paymentEndpoints({ payments: { desk }, clock }: AdminPorts): readonly AdminEndpoint[] {
  return [
    adminEndpoint(adminContract.listPayments)(({ query }) => listPayments(query, desk)),
    adminEndpoint(adminContract.readPayment)(async ({ params: { id } }) => encodePaymentDetail(await findPayment(id, desk))),
    adminChange(adminContract.refundPayment)(
      async ({ params: { id }, body, actor }) => encodePayment(await desk.refund({ id: id as PaymentId, ...body }, { actor, at: clock.now() })),
      async ({ params: { id } }) => encodePayment((await findPayment(id, desk)).payment),
    ),
    adminChange(adminContract.checkPayment)(
      async ({ params: { id }, actor }) => encodePayment(await desk.checkAgain(id as PaymentId, { actor, at: clock.now() })),
      async ({ params: { id } }) => encodePayment((await findPayment(id, desk)).payment),
    ),
  ];
}
