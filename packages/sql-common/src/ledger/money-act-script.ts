import {
  AUDITED_MONEY_ACTS, COUNTER_ACCOUNTS, type DecidedAct, decideRefund, GatewayError, invariant, isReversal, lowersBalance, type MoneyAct, type MoneyActOutcome, refundableOf, refundedRequestOf,
  ServiceTokens, utcDayOf,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { balanceFromRow, type BalanceRow, MAX_UNITS, storableText, storableTextOrNull } from '../schema/columns.js';
import { changesOf, firstOf, type Queries, type Script } from '../script/script.js';

/** Every act is one entry; which side the customer is on says whether it raises or lowers. */
interface Sides {
  readonly debit_account: string;
  readonly credit_account: string;
}

type AccountRow = BalanceRow & { readonly status: string };

function sidesOf(act: MoneyAct): Sides {
  const counter = COUNTER_ACCOUNTS[act.kind];
  return lowersBalance(act) ? { debit_account: act.accountId, credit_account: counter } : { debit_account: counter, credit_account: act.accountId };
}

/** What was booked under the reference of an act; `null` when nothing was. */
function* earlierAct(queries: Queries, { accountId, reference }: MoneyAct): Script<'none' | ((act: MoneyAct) => boolean)> {
  const entry = yield* firstOf(queries.selectFrom('ledger_entries')
    .select(['kind', 'amount', 'request_id', 'debit_account', 'credit_account'])
    .where('reference', '=', storableText(reference))
    .where((where) => where.or([where('credit_account', '=', accountId), where('debit_account', '=', accountId)])));
  if (entry === null) return 'none';
  return (act) => entry.kind === act.kind && (entry.amount === act.amount.toUnits() || isReversal(act)) && entry.request_id === refundedRequestOf(act)
    && entry.debit_account === sidesOf(act).debit_account;
}

/** What may still be given back of a request; `null` when the account has no such request. */
function* refundable(queries: Queries, accountId: string, requestId: string): Script<ServiceTokens | null> {
  const record = yield* firstOf(queries.selectFrom('usage_records').leftJoin('late_settlements', 'late_settlements.reservation_id', 'usage_records.reservation_id')
    .select(['usage_records.charge as charge', 'late_settlements.charge as late'])
    .where('usage_records.request_id', '=', requestId).where('usage_records.account_id', '=', accountId));
  if (record === null) return null;
  const refunds = yield* firstOf(queries.selectFrom('ledger_entries').select((entry) => entry.cast<bigint>(entry.fn.sum('amount'), 'bigint').as('amount'))
    .where('kind', '=', 'refund').where('request_id', '=', requestId));
  return refundableOf(ServiceTokens.fromUnits(record.charge + (record.late ?? 0n)), ServiceTokens.fromUnits(refunds?.amount ?? 0n));
}

function* decide(queries: Queries, act: MoneyAct): Script<DecidedAct> {
  return act.kind === 'refund' ? decideRefund(act, yield* refundable(queries, act.accountId, act.requestId)) : { act, refusal: null };
}

/** What is reversed no longer counts against the limit of the request's key. Keys are locked after accounts, as settlements do. */
function* unspend(queries: Queries, act: MoneyAct): Script<void> {
  const budget = yield* firstOf(queries.selectFrom('usage_records').innerJoin('reservations', 'reservations.id', 'usage_records.reservation_id')
    .select(['reservations.key_lineage as lineage', 'reservations.key_period as period']).where('usage_records.request_id', '=', refundedRequestOf(act)));
  if (budget === null || budget.lineage === null) return;
  yield* changesOf(queries.updateTable('key_spending').set((row) => ({ spent: row('spent', '-', act.amount.toUnits()) }))
    .where('lineage', '=', budget.lineage).where('period', '=', budget.period));
}

function refuseOverflow({ balance }: BalanceRow, act: MoneyAct): void {
  if (lowersBalance(act) || balance + act.amount.toUnits() <= MAX_UNITS) return;
  throw new GatewayError('invalid_request', 'This would raise the balance above the largest amount that can be kept.');
}

/** Moves the balance on the condition that nothing which is reserved is taken; `null` when that does not hold. */
function* moveBalance(queries: Queries, act: MoneyAct): Script<BalanceRow | null> {
  const units = act.amount.toUnits();
  const account = queries.updateTable('accounts').where('id', '=', act.accountId).where('status', '<>', 'deleted').returning(['balance', 'reserved']);
  if (!lowersBalance(act)) return yield* firstOf(account.set((row) => ({ balance: row('balance', '+', units) })));
  return yield* firstOf(account.set((row) => ({ balance: row('balance', '-', units) }))
    .where((row) => row(row('balance', '-', row.ref('reserved')), '>=', units)));
}

function* append(queries: Queries, act: MoneyAct): Script<void> {
  const { kind, accountId, amount, actor, at } = act;
  const reference = storableText(act.reference);
  yield* changesOf(queries.insertInto('ledger_entries').values({
    kind, ...sidesOf(act), amount: amount.toUnits(), request_id: refundedRequestOf(act), reservation_id: null, reference,
    reason: storableTextOrNull(act.reason), at, day: utcDayOf(at),
  }));
  const details = { kind, amount: amount.toString(), reference, ...(act.kind === 'refund' ? { request: act.requestId } : {}) };
  yield* appendAuditEntry(queries, {
    actor, at, action: AUDITED_MONEY_ACTS[kind], subject: accountId, accountId, details: lowersBalance(act) ? { ...details, direction: 'lower' } : details,
    texts: { reason: act.reason },
  });
}

function* accountOf(queries: Queries, { accountId }: MoneyAct): Script<AccountRow | null> {
  return yield* firstOf(queries.selectFrom('accounts').select(['balance', 'reserved', 'status']).where('id', '=', accountId));
}

/** Books an act, once per reference. Scripts that write come one after the other, so what is left of a charge cannot change in between. */
export function* bookMoneyAct(queries: Queries, given: MoneyAct): Script<MoneyActOutcome> {
  invariant(given.amount.toUnits() > 0n, 'an act of money is of more than zero');
  const account = yield* accountOf(queries, given);
  if (account === null) return { outcome: 'no-such-account' };
  const earlier = yield* earlierAct(queries, given);
  if (earlier !== 'none') return earlier(given) ? { outcome: 'repeated', balance: balanceFromRow(account) } : { outcome: 'reference-used-otherwise' };
  if (account.status === 'deleted') return { outcome: 'account-deleted' };
  const { act, refusal } = yield* decide(queries, given);
  if (refusal !== null) return refusal;
  refuseOverflow(account, act);
  const moved = yield* moveBalance(queries, act);
  if (moved === null) return { outcome: 'exceeds-balance', available: ServiceTokens.fromUnits(account.balance - account.reserved) };
  yield* append(queries, act);
  if (isReversal(act)) yield* unspend(queries, act);
  return { outcome: 'booked', balance: balanceFromRow(moved) };
}
