import { money } from '#texts/operator-accounts';
import { call, type Reply } from '../../../../api/call';
import { exactAmount, roundedDollars, typedAmount } from '../../../../format/amount';
import { endOfDay } from '../../../../format/day';
import { shortInstant } from '../../../../format/instant';
import { amountIn, bookingWith, type BookedKind } from '../acts/booking';
import { done, unchanged, type Outcome } from '../acts/account-data';

/** Fields of the form, as typed. */
export interface Booking {
  readonly kind: BookedKind;
  readonly amount: string;
  readonly requestId: string;
  readonly reference: string;
  readonly reason: string;
  /** A UTC day, at whose end a credit expires; empty for never. */
  readonly expires: string;
}

type Booked = Reply<'creditAccount'>;

/** Books a money act. The amount must be valid. */
export function book(id: string, { kind, amount, requestId, reference, reason, expires }: Booking): Promise<Booked> {
  const params = { id };
  const svcTokens = typedAmount(amount) ?? amount;
  const common = { reference: reference.trim(), reason: reason.trim() };
  switch (kind) {
    case 'credit': return call('creditAccount', { params, body: { ...common, svc_tokens: svcTokens, expires_at: expires === '' ? null : endOfDay(expires) } });
    case 'refund': return call('refundRequest', { params, body: { ...common, svc_tokens: svcTokens, request_id: requestId.trim() } });
    case 'raise': return call('correctBalance', { params, body: { ...common, svc_tokens: svcTokens } });
    case 'lower': return call('correctBalance', { params, body: { ...common, svc_tokens: `-${svcTokens}` } });
  }
}

interface Context {
  readonly accountId: string;
  /** Dollars for one service token; `undefined` while it is unknown. */
  readonly rate: string | undefined;
  readonly me: { readonly id: string };
}

/** When and by whom a reference was first booked; `null` if the newest audit entries do not contain the booking. */
async function earlier(reference: string, { accountId, me }: Omit<Context, 'rate'>): Promise<{ readonly when: string | null; readonly who: string | null }> {
  const { data } = await call('listAudit', { query: { account: accountId } });
  const entry = bookingWith(reference, data);
  return entry === undefined ? { when: null, who: null } : { when: shortInstant(entry.at), who: await nameOf(entry.actor.id, me) };
}

async function nameOf(actorId: string, me: Context['me']): Promise<string> {
  if (actorId === me.id) return money.you;
  if (!actorId.startsWith('person_')) return actorId;
  const { data: [owned] } = await call('listAccounts', { query: { q: actorId } });
  return owned?.email ?? actorId;
}

/** `$0.50 (500 service tokens)`. */
export function inBoth(tokens: string, rate: string | undefined): string {
  return rate === undefined ? exactAmount(tokens) : money.inBoth(amountIn(tokens, rate), exactAmount(tokens));
}

/** For a repeated booking, says when and by whom it was first booked, if known. */
export async function outcomeOf({ outcome, kind, svc_tokens: amount, reference, balance }: Booked, context: Context): Promise<Outcome> {
  const available = money.availableNow(roundedDollars(balance.available.usd));
  if (outcome === 'booked') return done(`${money.done[kind]?.(inBoth(amount, context.rate)) ?? ''} ${available}`);
  const { when, who } = await earlier(reference, context).catch(() => ({ when: null, who: null }));
  return { ...unchanged(`${money.repeated(money.verbs[kind] ?? kind, when, who)} ${available}`), audited: true };
}
