import {
  type Account, assertNever, availableOf, type Balance, type BookCommand, type Instant, invariant, type MoneyActOutcome, moneyActRefusalOf,
  type RequestId, ServiceTokens,
} from '@tollgate/core';
import { encodeBalance, timeOrNull } from '@tollgate/wire-kit';
import { asMisuse, CommandFailure } from '../program/command-failure.js';
import type { Report } from '../program/report.js';
import type { OperatorSession } from '../program/operator-session.js';
import { findAccount } from '../program/find-account.js';

interface Credit {
  readonly amount: ServiceTokens;
  readonly reference: string;
  readonly reason: string | null;
  /** `null` or absent: the credit never expires. */
  readonly expiresAt?: Instant | null;
}

interface Credited {
  readonly outcome: 'credited' | 'repeated';
  readonly balance: Balance;
}

/** Creates a unique reference for an act whose caller gives none. */
export function newReference({ ids }: OperatorSession): string {
  return ids.responseId('credit_');
}

export async function creditAccount(
  session: OperatorSession, idOrEmail: string, { amount, reference, reason, expiresAt = null }: Omit<Credit, 'reference'> & { readonly reference: string | null },
): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const credit = { amount, reference: reference ?? newReference(session), reason, expiresAt };
  const { outcome, balance } = await creditOf(session, account, credit);
  const done = outcome === 'credited' ? `${amount.toString()} service tokens are credited` : 'this reference was credited before; nothing has changed';
  return {
    json: { account_id: account.id, outcome, amount: amount.toString(), reference: credit.reference, expires_at: timeOrNull(expiresAt), balance: encodeBalance(balance, session.catalogue.current().usdPerServiceToken) },
    lines: [`${done} (reference ${credit.reference}). Available: ${availableOf(balance).toString()}`],
  };
}

/** Credits the account once per reference. */
export async function creditOf({ accounts, actor }: OperatorSession, account: Account, { amount, reference, reason, expiresAt = null }: Credit): Promise<Credited> {
  const outcome = await asMisuse(accounts.credit({ accountId: account.id, amount, reference, reason, expiresAt, actor }));
  switch (outcome.outcome) {
    case 'credited': case 'repeated': return outcome;
    case 'no-such-account': throw new CommandFailure(`there is no account ${account.id}`);
    case 'reference-used-for-another-amount':
      throw new CommandFailure(`the reference ${reference} was used for another amount or expiry; nothing has changed`);
    default: return assertNever(outcome);
  }
}

export interface BookingOptions {
  readonly reason: string;
  readonly reference?: string;
}

type Booking = { readonly amount: ServiceTokens } & (
  | { readonly kind: 'refund'; readonly requestId: RequestId }
  | { readonly kind: 'correction'; readonly direction: 'raise' | 'lower' });

export function refundRequest(session: OperatorSession, idOrEmail: string, refund: { readonly request: string; readonly amount: ServiceTokens } & BookingOptions): Promise<Report> {
  const { request, amount, ...options } = refund;
  return book(session, idOrEmail, { kind: 'refund', requestId: request as RequestId, amount }, options);
}

/** A positive amount raises the balance, a negative one lowers it. */
export function correctBalance(session: OperatorSession, idOrEmail: string, { amount, ...options }: { readonly amount: ServiceTokens } & BookingOptions): Promise<Report> {
  const isLower = amount.isNegative();
  const size = isLower ? ServiceTokens.ZERO.minus(amount) : amount;
  return book(session, idOrEmail, { kind: 'correction', direction: isLower ? 'lower' : 'raise', amount: size }, options);
}

async function book(session: OperatorSession, idOrEmail: string, ...[booking, { reason, reference: given }]: [Booking, BookingOptions]): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const reference = given ?? newReference(session);
  const act: BookCommand = { ...booking, accountId: id, reference, reason, actor: session.actor };
  const { outcome, balance } = bookedOrThrow(await session.accounts.book(act), act);
  const amount = act.amount.toString();
  const done = outcome === 'booked' ? `${signedAmount(act)} service tokens are booked as a ${act.kind}` : 'this reference was booked before; nothing has changed';
  return {
    json: { account_id: id, outcome, kind: act.kind, amount, reference, balance: encodeBalance(balance, session.catalogue.current().usdPerServiceToken) },
    lines: [`${done} (reference ${reference}). Available: ${availableOf(balance).toString()}`],
  };
}

/** The change of the balance, such as `+2.5` or `-2.5`. */
function signedAmount(act: BookCommand): string {
  return `${act.kind === 'correction' && act.direction === 'lower' ? '-' : '+'}${act.amount.toString()}`;
}

function bookedOrThrow(outcome: MoneyActOutcome, act: BookCommand): Extract<MoneyActOutcome, { balance: unknown }> {
  const refusal = moneyActRefusalOf(outcome, act);
  if (refusal !== null) throw new CommandFailure(`${refusal.code}: ${refusal.message}`);
  invariant('balance' in outcome, 'an act that is not refused is booked');
  return outcome;
}
