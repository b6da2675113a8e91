import {
  type Account, type AccountId, type AuditedBy, type Clock, GatewayError, type Instant, noSuchPayment, parseRfc3339, type Payment, type PaymentDesk, type PaymentDetail, type PaymentId, type PaymentQuery,
} from '@tollgate/core';
import { type BodyOf, contract, type QueryOf } from '@tollgate/api-contract';
import { encodeCreditOffer, encodePayment, encodePaymentDetail, encodeSimulatedCheckout, timeOrNull } from '@tollgate/wire-kit';
import type { PublicAddress } from '../../http/public-address.js';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { PaymentPorts } from '../call/dashboard-ports.js';

interface PaymentEndpointPorts {
  readonly payments: PaymentPorts;
  readonly address: PublicAddress;
  readonly clock: Clock;
}

export function paymentEndpoints({ payments, address, clock }: PaymentEndpointPorts): readonly DashboardEndpoint[] {
  const { desk, simulated } = payments;
  return [
    endpoint(contract.readCreditOffer)(async () => encodeCreditOffer(desk.offer(), desk.provider)),
    endpoint(contract.startPayment)(async ({ visitor: { account }, call, body }) => encodePayment(await startPayment({ account, body, origin: address.origin }, desk, { actor: actorOf(call, 'owner'), at: clock.now() }))),
    endpoint(contract.listPayments)(async ({ visitor: { account }, query }) => listPayments({ ...query, account: account.id }, desk)),
    endpoint(contract.readPayment)(async ({ visitor: { account }, params: { id } }) => encodePaymentDetail(await lookAtOwn(id, account, desk))),
    endpoint(contract.readSimulatedCheckout)(async ({ visitor: { account }, params: { reference } }) => present(await simulated?.find(reference, account.id) ?? null, clock)),
    endpoint(contract.actInSimulatedCheckout)(async ({ visitor: { account }, params: { reference }, body: { act } }) => {
      const checkout = await simulated?.act(reference, act, account.id) ?? null;
      if (checkout !== null) await checkOwn(checkout.payment, desk);
      return present(checkout, clock);
    }),
    endpoint(contract.listAllPayments)(async ({ query }) => listPayments(query, desk)),
    endpoint(contract.readAnyPayment)(async ({ params: { id } }) => encodePaymentDetail(await findPayment(id, desk))),
    endpoint(contract.refundPayment)(async ({ params: { id }, body, call }) => encodePayment(await desk.refund({ id: id as PaymentId, ...body }, { actor: actorOf(call, 'operator'), at: clock.now() }))),
    endpoint(contract.checkPayment)(async ({ params: { id }, call }) => encodePayment(await desk.checkAgain(id as PaymentId, { actor: actorOf(call, 'operator'), at: clock.now() }))),
    endpoint(contract.readPaymentHealth)(async () => viewHealth(payments)),
  ];
}

/** Throws `not_found`. */
export async function findPayment(id: string, desk: PaymentDesk): Promise<PaymentDetail> {
  const detail = await desk.find(id as PaymentId);
  if (detail === null) throw noSuchPayment();
  return detail;
}

type ListQuery = QueryOf<typeof contract.listAllPayments>;

export async function listPayments({ state, account, provider, start, end, uncovered, limit, cursor }: ListQuery, desk: PaymentDesk) {
  const query: PaymentQuery = {
    limit, after: cursor === undefined ? null : cursor as PaymentId, state: state ?? null, accountId: account === undefined ? null : account as AccountId, provider: provider ?? null,
    start: instantOf(start), end: instantOf(end), isUncovered: uncovered === 'true',
  };
  const { payments, next } = await desk.list(query);
  return { object: 'list' as const, data: payments.map(encodePayment), has_more: next !== null, next_cursor: next };
}

function instantOf(time: string | undefined): Instant | null {
  return time === undefined ? null : parseRfc3339(time);
}

interface Starting {
  readonly account: Account;
  readonly body: BodyOf<typeof contract.startPayment>;
  readonly origin: string;
}

/** The provider sends the browser back to the page of the payment, which waits for its booking. */
function startPayment({ account, body, origin }: Starting, desk: PaymentDesk, by: AuditedBy): Promise<Payment> {
  return desk.start({
    accountId: account.id, choice: body.package === undefined ? { amount: body.amount ?? '' } : { packageId: body.package }, saveMethod: body.save_method,
    returnUrlOf: (id) => `${origin}/dashboard/billing/payments/${id}`, cancelUrl: `${origin}/dashboard/billing`,
  }, by);
}

async function lookAtOwn(id: string, { id: accountId }: Account, desk: PaymentDesk): Promise<PaymentDetail> {
  const found = await findPayment(id, desk);
  if (found.payment.accountId !== accountId) throw noSuchPayment();
  return await desk.look(found.payment.id) ?? found;
}

async function checkOwn(id: string, desk: PaymentDesk): Promise<void> {
  const detail = await desk.find(id as PaymentId);
  if (detail !== null) await desk.check(detail.payment);
}

function present(checkout: Parameters<typeof encodeSimulatedCheckout>[0] | null, clock: Clock) {
  if (checkout === null) throw new GatewayError('not_found', 'There is no such checkout.');
  return encodeSimulatedCheckout(checkout, clock.now());
}

async function viewHealth({ desk, counts, reconciler }: PaymentPorts) {
  return {
    object: 'payment_health' as const, provider: desk.provider?.id ?? null, simulated: desk.provider?.isSimulated ?? false, ...await counts(), checked_at: timeOrNull(reconciler.checkedAt),
    failed_at: timeOrNull(reconciler.failedAt),
  };
}
