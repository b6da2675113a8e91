import { type Balance, type CreditCommand, type CreditOutcome, GatewayError, invariant, utcDayOf } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { MAXIMUM_UNITS } from '../schema/amount-bounds.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { balanceFromRow, type BalanceRow } from './balance-row.js';
import { TOP_UPS } from './system-accounts.js';

function* earlierAmount(queries: Queries, { accountId, reference }: CreditCommand): Script<bigint | null> {
  const entry = yield* firstOf(queries.selectFrom('ledger_entries').select('amount')
    .where('credit_account', '=', accountId).where('reference', '=', storableText(reference)));
  return entry?.amount ?? null;
}

function* book(queries: Queries, command: CreditCommand): Script<Balance> {
  const { accountId, amount, reference, actor, at } = command;
  yield* changesOf(queries.insertInto('ledger_entries').values({
    kind: 'top-up', debit_account: TOP_UPS, credit_account: accountId, amount: amount.toUnits(),
    request_id: null, reservation_id: null, reference: storableText(reference), at, day: utcDayOf(at),
  }));
  const row = yield* firstOf(queries.updateTable('accounts')
    .set((account) => ({ balance: account('balance', '+', amount.toUnits()) }))
    .where('id', '=', accountId).returning(['balance', 'reserved']));
  invariant(row !== null, 'the account was found in this transaction');
  yield* appendAuditEntry(queries, { actor, at, action: 'account.credited', subject: accountId, details: { amount: amount.toString(), reference } });
  return balanceFromRow(row);
}

function refuseOverflow({ balance }: BalanceRow, { amount }: CreditCommand): void {
  if (balance + amount.toUnits() <= MAXIMUM_UNITS) return;
  throw new GatewayError('invalid_request', 'The credit would raise the balance above the largest amount that can be kept.');
}

/** Adds to an account's balance, once per reference. */
export function* credit(queries: Queries, command: CreditCommand): Script<CreditOutcome> {
  const { accountId, amount } = command;
  invariant(amount.toUnits() > 0n, 'a credit is of more than zero');
  const account = yield* firstOf(queries.selectFrom('accounts').select(['balance', 'reserved']).where('id', '=', accountId));
  if (account === null) return { outcome: 'no-such-account' };
  const earlier = yield* earlierAmount(queries, command);
  if (earlier === amount.toUnits()) return { outcome: 'repeated', balance: balanceFromRow(account) };
  if (earlier !== null) return { outcome: 'reference-used-for-another-amount' };
  refuseOverflow(account, command);
  return { outcome: 'credited', balance: yield* book(queries, command) };
}
