import { assertNever, availableOf, type MoneyAct, type MoneyActOutcome, type RequestId, ServiceTokens } from '@tollgate/core';
import { encodeBalance } from '../../encoding/encode-account.js';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount } from '../../values/find-account.js';
import { newReference } from './credit-account.js';

export interface BookingOptions {
  readonly reason: string;
  readonly reference?: string;
}

/** What an operator books, without what is the same for all. */
type Booking = { readonly amount: ServiceTokens } & (
  | { readonly kind: 'refund'; readonly requestId: RequestId }
  | { readonly kind: 'correction'; readonly direction: 'raise' | 'lower' });

export function refundRequest(session: OperatorSession, idOrEmail: string, refund: { readonly request: string; readonly amount: ServiceTokens } & BookingOptions): Promise<Report> {
  const { request, amount, ...options } = refund;
  return book(session, idOrEmail, { kind: 'refund', requestId: request as RequestId, amount }, options);
}

/** Raises the balance by an amount above zero, lowers it by one below. */
export function correctBalance(session: OperatorSession, idOrEmail: string, { amount, ...options }: { readonly amount: ServiceTokens } & BookingOptions): Promise<Report> {
  const isLower = amount.isNegative();
  const size = isLower ? ServiceTokens.ZERO.minus(amount) : amount;
  return book(session, idOrEmail, { kind: 'correction', direction: isLower ? 'lower' : 'raise', amount: size }, options);
}

async function book(session: OperatorSession, idOrEmail: string, ...[booking, { reason, reference: given }]: [Booking, BookingOptions]): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const reference = given ?? newReference(session);
  const act: MoneyAct = { ...booking, accountId: id, reference, reason, actor: session.actor, at: session.clock.now() };
  const { outcome, balance } = bookedOrThrow(await session.store.ledger.book(act), act);
  const amount = act.amount.toString();
  const done = outcome === 'booked' ? `${amount} service tokens are booked as a ${act.kind}` : 'this was booked before; nothing is changed';
  return {
    json: { account_id: id, outcome, kind: act.kind, amount, reference, balance: encodeBalance(balance) },
    lines: [`${done} (reference ${reference}). Available: ${availableOf(balance).toString()}`],
  };
}

function bookedOrThrow(outcome: MoneyActOutcome, { accountId, reference }: MoneyAct): Extract<MoneyActOutcome, { balance: unknown }> {
  switch (outcome.outcome) {
    case 'booked': case 'repeated': return outcome;
    case 'no-such-account': throw new CommandFailure(`there is no account ${accountId}`);
    case 'account-deleted': throw new CommandFailure(`conflict: account ${accountId} is deleted`);
    case 'no-such-request': throw new CommandFailure(`account ${accountId} has no such request, or it has not ended`);
    case 'reference-used-otherwise': throw new CommandFailure(`conflict: the reference ${reference} was used for something else; nothing is changed`);
    case 'exceeds-charge': throw new CommandFailure(`conflict: at most ${outcome.refundable.toString()} service tokens can still be refunded of this request`);
    case 'exceeds-balance': throw new CommandFailure(`conflict: only ${outcome.available.toString()} service tokens are available; what is reserved cannot be taken`);
    default: return assertNever(outcome);
  }
}
