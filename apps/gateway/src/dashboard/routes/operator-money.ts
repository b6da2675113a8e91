import {
  type Account, type AccountId, type Actor, AUDITED_MONEY_ACTS, type AuditQuery, type AuditRecord, type AuditTrail, type BookCommand, type BookedMoneyAct,
  GatewayError, type Instant, invariant, later, MAX_AUDIT_PAGE, moneyActRefusalOf, NO_AUDIT_FILTERS, type RequestId, ServiceTokens,
} from '@tollgate/core';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import { encodeBalance, encodeMoneyAct } from '@tollgate/wire-kit';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { AdministrationPorts, DashboardPorts } from '../call/dashboard-ports.js';
import { instantOf } from '../call/read-fields.js';
import { findAccount } from './account-views.js';

export function moneyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listMoneyActs)(async ({ params: { id }, query }) => viewMoneyActs(await findAccount(id, ports), query, ports)),
    endpoint(contract.listOwnMoneyActs)(async ({ visitor: { account }, query }) => {
      const { acts, next } = await ports.administration.lookups.moneyActs(account.id, pageOf(query));
      return { object: 'list', data: acts.map(encodeMoneyAct), has_more: next !== null, next_cursor: next === null ? null : String(next) };
    }),
    endpoint(contract.creditAccount)((booking) =>
      book({ ...commonOf(booking), kind: 'top-up', amount: ServiceTokens.parse(booking.body.svc_tokens), expiresAt: instantOf(booking.body.expires_at) }, ports)),
    endpoint(contract.refundRequest)((booking) => {
      const { svc_tokens: amount, request_id: requestId } = booking.body;
      return book({ ...commonOf(booking), kind: 'refund', requestId: requestId as RequestId, amount: ServiceTokens.parse(amount) }, ports);
    }),
    endpoint(contract.correctBalance)((booking) => {
      return book({ ...commonOf(booking), ...correctionOf(booking.body.svc_tokens) }, ports);
    }),
  ];
}

type Booker = Pick<Actor, 'kind' | 'id'>;

function nameOf(action: string, at: Instant, reference: unknown): string {
  return JSON.stringify([action, at, action === AUDITED_MONEY_ACTS.forfeiture ? null : reference]);
}

/** All matching entries, newest first. */
async function allOf(auditTrail: AuditTrail, query: Omit<AuditQuery, 'limit' | 'cursor'>): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  let cursor: string | null = null;
  do {
    const page = await auditTrail.list({ ...query, limit: MAX_AUDIT_PAGE, cursor });
    records.push(...page?.records ?? []);
    cursor = page?.nextCursor ?? null;
  } while (cursor !== null);
  return records;
}

/** Who booked each act, from the audit log; `null` without an entry. Reads about one entry per act. */
async function bookersOf(accountId: AccountId, acts: readonly BookedMoneyAct[], auditTrail: AuditTrail): Promise<(act: BookedMoneyAct) => Booker | null> {
  const times = acts.map(({ at }) => at).toSorted((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return () => null;
  const period = { ...NO_AUDIT_FILTERS, accountId, from: first, to: later(last, 1) };
  const actions = new Set(acts.map(({ kind }) => AUDITED_MONEY_ACTS[kind]));
  const records = (await Promise.all([...actions].map((action) => allOf(auditTrail, { ...period, action })))).flat();
  const bookers = new Map(records.map(({ action, at, details, actor: { kind, id } }) => [nameOf(action, at, details['reference']), { kind, id }]));
  return ({ kind, at, reference }) => bookers.get(nameOf(AUDITED_MONEY_ACTS[kind], at, reference)) ?? null;
}

interface MoneyActPorts extends Pick<DashboardPorts, 'auditTrail'> {
  readonly administration: Pick<AdministrationPorts, 'lookups'>;
}

function pageOf({ limit, cursor }: QueryOf<typeof contract.listMoneyActs>): { readonly limit: number; readonly before: number | null } {
  return { limit, before: cursor === undefined ? null : readCursor(cursor) };
}

/** A page of money acts, newest first. Throws `invalid_request` for an invalid cursor. */
export async function viewMoneyActs({ id }: Account, query: QueryOf<typeof contract.listMoneyActs>, { administration: { lookups }, auditTrail }: MoneyActPorts) {
  const { acts, next } = await lookups.moneyActs(id, pageOf(query));
  const bookerOf = await bookersOf(id, acts, auditTrail);
  const data = acts.map((act) => ({ ...encodeMoneyAct(act), by: bookerOf(act) }));
  return { object: 'list' as const, data, has_more: next !== null, next_cursor: next === null ? null : String(next) };
}

/** The act as `viewMoneyActs` shows it; `null` if no act has the reference. */
export async function viewMoneyAct({ id }: Account, reference: string, { administration: { lookups }, auditTrail }: MoneyActPorts) {
  const act = await lookups.moneyAct(id, reference);
  if (act === null) return null;
  return { ...encodeMoneyAct(act), by: (await bookersOf(id, [act], auditTrail))(act) };
}

/** A negative amount lowers the balance. */
export function correctionOf(signed: string) {
  const direction = signed.startsWith('-') ? 'lower' as const : 'raise' as const;
  return { kind: 'correction' as const, direction, amount: ServiceTokens.parse(signed.replace('-', '')) };
}

type Booked = ReplyOf<typeof contract.creditAccount>;

const CURSOR = /^\d{1,15}$/;

interface Booking {
  readonly params: { readonly id: string };
  readonly body: { readonly reference: string; readonly reason: string };
  readonly call: DashboardCall;
}

function commonOf({ params: { id }, body: { reference, reason }, call }: Booking) {
  return { accountId: id as AccountId, reference, reason, actor: actorOf(call, 'operator') };
}

function readCursor(cursor: string): number {
  if (!CURSOR.test(cursor)) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return Number(cursor);
}

/** Idempotent by reference. Throws a `GatewayError` if the core refuses. */
export async function bookOrRefuse(command: BookCommand, { administration: { accountAdministration } }: Pick<DashboardPorts, 'administration'>) {
  const outcome = await accountAdministration.book(command);
  const refusal = moneyActRefusalOf(outcome, command);
  if (refusal !== null) throw new GatewayError(refusal.code, refusal.message);
  invariant('balance' in outcome, 'an act that is not refused is booked');
  return outcome;
}

async function book(command: BookCommand, ports: DashboardPorts): Promise<Booked> {
  const outcome = await bookOrRefuse(command, ports);
  const { kind, amount, reference } = command;
  const isLower = kind === 'correction' && command.direction === 'lower';
  return {
    object: 'booking', outcome: outcome.outcome, kind, svc_tokens: (isLower ? ServiceTokens.ZERO.minus(amount) : amount).toString(), reference,
    balance: encodeBalance(outcome.balance, ports.catalogue.current().usdPerServiceToken),
  };
}
