import { type BookCommand, GatewayError, invariant, type RequestId, ServiceTokens } from '@tollgate/core';
import { adminContract, type ReplyOf } from '@tollgate/api-contract';
import { encodeBalance, encodeCredits } from '@tollgate/wire-kit';
import { bookOrRefuse, correctionOf, viewMoneyAct } from '../../dashboard/routes/operator-money.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import { instantOf } from '../../dashboard/call/read-fields.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { findAccount, type NamedCall } from '../call/find-account.js';

const { credit, listCredits, refund, correct } = adminContract;

export function moneyChangeEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  return [
    adminEndpoint(listCredits)(async (call) => encodeCredits(await ports.credits.list((await findAccount(call, ports)).id))),
    adminChange(credit)((call) => book(call, { kind: 'top-up', amount: ServiceTokens.parse(call.body.svc_tokens), expiresAt: instantOf(call.body.expires_at) }, ports), (call) => repeated(call, ports)),
    adminChange(refund)((call) => {
      const { svc_tokens: amount, request_id: requestId } = call.body;
      return book(call, { kind: 'refund', requestId: requestId as RequestId, amount: ServiceTokens.parse(amount) }, ports);
    }, (call) => repeated(call, ports)),
    adminChange(correct)((call) => book(call, correctionOf(call.body.svc_tokens), ports), (call) => repeated(call, ports)),
  ];
}

type Booking = ReplyOf<typeof credit>;
type BookingCall = NamedCall & { readonly body: { readonly reference: string; readonly reason: string } };
type Act = BookCommand extends infer Command ? Command extends BookCommand ? Omit<Command, 'accountId' | 'reference' | 'reason' | 'actor'> : never : never;

/** Idempotent by reference, in addition to the `Idempotency-Key`. */
async function book(call: BookingCall, act: Act, ports: AdminPorts): Promise<Booking> {
  const { reference, reason } = call.body;
  const account = await findAccount(call, ports);
  const { outcome, balance } = await bookOrRefuse({ ...act, accountId: account.id, reference, reason, actor: call.actor }, ports);
  const entry = await viewMoneyAct(account, reference, ports);
  invariant(entry !== null, 'what was booked is found by its reference');
  return { object: 'booking', repeated: outcome === 'repeated', entry, balance: encodeBalance(balance, ports.catalogue.current().usdPerServiceToken) };
}

async function repeated(call: BookingCall, ports: AdminPorts): Promise<Booking> {
  const account = await findAccount(call, ports);
  const [entry, balance] = await Promise.all([viewMoneyAct(account, call.body.reference, ports), ports.ledger.balanceOf(account.id)]);
  if (entry === null || balance === null) throw new GatewayError('not_found', 'No booking has this reference.');
  return { object: 'booking', repeated: true, entry, balance: encodeBalance(balance, ports.catalogue.current().usdPerServiceToken) };
}
