import type { PaymentId } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { encodePayment, encodePaymentDetail } from '@tollgate/wire-kit';
import { findPayment, listPayments } from '../../dashboard/routes/payments.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import { filteredAccount } from '../call/find-account.js';
import type { AdminPorts } from '../call/admin-ports.js';

export function paymentEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { payments: { desk }, clock } = ports;
  return [
    adminEndpoint(adminContract.listPayments)(async ({ query }) => listPayments({ ...query, account: await filteredAccount(query, ports) ?? undefined }, desk)),
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
