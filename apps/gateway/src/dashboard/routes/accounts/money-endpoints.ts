import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type AccountId, type BookCommand, type BookedMoneyAct, GatewayError, invariant, moneyActRefusalOf, type RequestId, rfc3339, ServiceTokens } from '@tollgate/core';
import { actorOf, type DashboardCall } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { type Booker, bookersOf } from './bookers.js';
import { encodeBalance, findAccount } from './view-account.js';

type Booked = ReplyOf<typeof contract.creditAccount>;
type MoneyAct = ReplyOf<typeof contract.listMoneyActs>['data'][number];

const CURSOR = /^\d{1,15}$/;

/** What every act of money takes. */
interface Booking {
  readonly params: { readonly id: string };
  readonly body: { readonly reference: string; readonly reason: string };
  readonly call: DashboardCall;
}

function commonOf({ params: { id }, body: { reference, reason }, call }: Booking) {
  return { accountId: id as AccountId, reference, reason, actor: actorOf(call, 'operator') };
}

function encodeMoneyAct({ kind, amount, requestId, reference, reason, at }: BookedMoneyAct, by: Booker | null): MoneyAct {
  return { object: 'money_act', kind, svc_tokens: amount.toString(), request_id: requestId, reference, reason, at: rfc3339(at), by: by === null ? null : { kind: by.kind, id: by.id } };
}

function readCursor(cursor: string): number {
  if (!CURSOR.test(cursor)) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return Number(cursor);
}

/** Books an act and answers with the balance after it, also where the same act was booked before. */
async function book(command: BookCommand, { administration: { accountAdministration }, catalogue }: DashboardPorts): Promise<Booked> {
  const outcome = await accountAdministration.book(command);
  const refusal = moneyActRefusalOf(outcome, command);
  if (refusal !== null) throw new GatewayError(refusal.code, refusal.message);
  invariant('balance' in outcome, 'an act that is not refused is booked');
  const { kind, amount, reference } = command;
  const isLower = kind === 'correction' && command.direction === 'lower';
  return {
    object: 'booking', outcome: outcome.outcome, kind, svc_tokens: (isLower ? ServiceTokens.ZERO.minus(amount) : amount).toString(), reference,
    balance: encodeBalance(outcome.balance, catalogue.current().usdPerServiceToken),
  };
}

/** Acts of money of one account. */
export function moneyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { lookups, auditTrail } = ports.administration;
  return [
    endpoint(contract.listMoneyActs)(async ({ params: { id }, query: { limit, cursor } }) => {
      const account = await findAccount(id, ports);
      const { acts, next } = await lookups.moneyActs(account.id, { limit, before: cursor === undefined ? null : readCursor(cursor) });
      const bookerOf = await bookersOf(account.id, acts, auditTrail);
      return { object: 'list', data: acts.map((act) => encodeMoneyAct(act, bookerOf(act))), has_more: next !== null, next_cursor: next === null ? null : String(next) };
    }),
    endpoint(contract.creditAccount)((booking) =>
      book({ ...commonOf(booking), kind: 'top-up', amount: ServiceTokens.parse(booking.body.svc_tokens) }, ports)),
    endpoint(contract.refundRequest)((booking) => {
      const { svc_tokens: amount, request_id: requestId } = booking.body;
      return book({ ...commonOf(booking), kind: 'refund', requestId: requestId as RequestId, amount: ServiceTokens.parse(amount) }, ports);
    }),
    endpoint(contract.correctBalance)((booking) => {
      const { svc_tokens: signed } = booking.body;
      const direction = signed.startsWith('-') ? 'lower' : 'raise';
      return book({ ...commonOf(booking), kind: 'correction', direction, amount: ServiceTokens.parse(signed.replace('-', '')) }, ports);
    }),
  ];
}
