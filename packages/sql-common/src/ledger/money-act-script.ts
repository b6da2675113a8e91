import {
  AUDITED_MONEY_ACTS, type BookedAct, bookedEvent, COUNTER_ACCOUNTS, creditExpiryOfAct, decideMoneyAct, type Instant, invariant, isReversal, lowersBalance, type MoneyAct, type MoneyActOutcome, type RefundableRequest,
  type RequestId, rfc3339, ServiceTokens, type StoredAct, utcDayOf,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { recordCrossings } from './record-crossings.js';
import { movesAlerts, refreshAlerts } from './refresh-alerts.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { watchCredits } from './watch-credits.js';
import { instantOrNull } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import { announce, changesOf, firstOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';

type Refund = Extract<MoneyAct, { readonly kind: 'refund' }>;

/** Act that was booked earlier under the same reference; `null` if there is none. */
function* earlierAct(queries: Queries, { accountId, reference }: MoneyAct): Script<StoredAct | null> {
  const entry = yield* firstOf(queries.selectFrom('ledger_entries')
    .select(['kind', 'amount', 'request_id', 'debit_account', 'expires_at'])
    .where('reference', '=', storableText(reference))
    .where((where) => where.or([where('credit_account', '=', accountId), where('debit_account', '=', accountId)])));
  if (entry === null) return null;
  const units = entry.debit_account === accountId ? -entry.amount : entry.amount;
  return { kind: entry.kind as StoredAct['kind'], amount: ServiceTokens.fromUnits(units), requestId: entry.request_id as RequestId | null, expiresAt: instantOrNull(entry.expires_at) };
}

/** Returns `null` if the account has no such request or the request has not ended. */
function* refundable(queries: Queries, { accountId, requestId }: Refund): Script<RefundableRequest | null> {
  const record = yield* firstOf(queries.selectFrom('usage_records').leftJoin('late_settlements', 'late_settlements.reservation_id', 'usage_records.reservation_id')
    .select(['usage_records.key_id as key', 'usage_records.charge as charge', 'late_settlements.charge as late'])
    .where('usage_records.request_id', '=', requestId).where('usage_records.account_id', '=', accountId));
  if (record === null) return null;
  const refunds = yield* firstOf(queries.selectFrom('ledger_entries').select((entry) => entry.cast<bigint>(entry.fn.sum('amount'), 'bigint').as('amount'))
    .where('kind', '=', 'refund').where('request_id', '=', requestId));
  return {
    keyId: record.key as RefundableRequest['keyId'], charge: ServiceTokens.fromUnits(record.charge + (record.late ?? 0n)),
    refunded: ServiceTokens.fromUnits(refunds?.amount ?? 0n),
  };
}

/** Subtracts a reversed amount from the spending of the request's key. Locks keys after accounts, as settlements do. */
function* unspend(queries: Queries, { requestId, amount }: Refund): Script<void> {
  const budget = yield* firstOf(queries.selectFrom('usage_records').innerJoin('reservations', 'reservations.id', 'usage_records.reservation_id')
    .select(['reservations.key_lineage as lineage', 'reservations.key_period as period']).where('usage_records.request_id', '=', requestId));
  if (budget === null || budget.lineage === null) return;
  yield* changesOf(queries.updateTable('key_spending').set((row) => ({ spent: row('spent', '-', amount.toUnits()) }))
    .where('lineage', '=', budget.lineage).where('period', '=', budget.period));
}

interface ActTerms {
  readonly reason: string | null;
  /** Date at which a credit expires; `null` if it never does. */
  readonly expiresAt: Instant | null;
}

/**
 * The only place where an act of money is booked: changes the balance, appends the entry and the events, and announces the booking. Everything that
 * is stored with each act belongs here. The caller must have read and locked the balance in this transaction.
 */
export function* bookAct(queries: Queries, booked: BookedAct, { reason, expiresAt }: ActTerms): Script<void> {
  const { accountId, kind, requestId, reference, amount, at } = booked;
  const units = amount.toUnits();
  const moved = yield* changesOf(queries.updateTable('accounts').set((row) => ({ balance: row('balance', '+', units) })).where('id', '=', accountId)
    .where((row) => row(row('balance', '-', row.ref('reserved')), '>=', -units)));
  invariant(moved === 1, 'the balance was read under its lock');
  const counter = COUNTER_ACCOUNTS[kind];
  const sides = amount.isNegative() ? { debit_account: accountId, credit_account: counter } : { debit_account: counter, credit_account: accountId };
  yield* changesOf(queries.insertInto('ledger_entries').values({
    kind, ...sides, amount: units < 0n ? -units : units, request_id: requestId, reservation_id: null, reference: storableText(reference),
    reason: storableTextOrNull(reason), at, day: utcDayOf(at), expires_at: expiresAt,
  }));
  yield* watchCredits(queries, booked, expiresAt);
  yield* announce(booked);
  yield* recordEvents(queries, booked);
}

/** Stores the event of the act, and those of the thresholds that it crosses. A credit changes the thresholds that are shares of credits. */
function* recordEvents(queries: Queries, booked: BookedAct): Script<void> {
  const { accountId, amount, kind, balance: { posted: after } } = booked;
  yield* appendEvent(queries, bookedEvent({ ...booked, reference: storableText(booked.reference) }));
  if (movesAlerts(booked)) yield* refreshAlerts(queries, accountId);
  if (amount.isNegative() && kind !== 'forfeiture') yield* recordCrossings(queries, booked, { before: after.minus(amount), after });
}

function* audit(queries: Queries, act: MoneyAct): Script<void> {
  const { kind, accountId, amount, actor, at } = act;
  const expiresAt = creditExpiryOfAct(act);
  const details = { kind, amount: amount.toString(), reference: storableText(act.reference), ...(act.kind === 'refund' ? { request: act.requestId } : {}), ...(expiresAt === null ? {} : { expiresAt: rfc3339(expiresAt) }) };
  yield* appendAuditEntry(queries, {
    actor, at, action: AUDITED_MONEY_ACTS[kind], subject: accountId, accountId, details: lowersBalance(act) ? { ...details, direction: 'lower' } : details,
    texts: { reason: act.reason },
  });
}

/** Books an act, once per reference. Locks the account first, so that no other booking changes it between the reads and the writes. */
export function* bookMoneyAct(queries: Queries, given: MoneyAct): Script<MoneyActOutcome> {
  const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select(['balance', 'reserved', 'status']).where('id', '=', given.accountId)));
  const decision = decideMoneyAct(given, {
    account: account === null ? null : { balance: balanceFromRow(account), isDeleted: account.status === 'deleted' },
    earlier: yield* earlierAct(queries, given),
    request: given.kind === 'refund' ? yield* refundable(queries, given) : null,
  });
  if (decision.act === null) return decision.outcome;
  const { act, booked, uncovered } = decision;
  yield* bookAct(queries, booked, { reason: act.reason, expiresAt: creditExpiryOfAct(act) });
  yield* audit(queries, act);
  if (isReversal(act)) yield* unspend(queries, act);
  return { outcome: 'booked', balance: booked.balance, booked, uncovered };
}
