import {
  availableOf, type Balance, type Booked, decideLateSettlement, invariant, isSettledLate, type LateSettlement, type ReservationId, type SettleCommand,
  type SettleOutcome, type UsageRecord, utcDayOf, withLateSettlement,
} from '@tollgate/core';
import { balanceFromRow, budgetFromRow, lateSettlementFromRow, storableUnits, usageRecordFromRow } from '@tollgate/sql-common';
import { paidBy } from './purchases.js';
import { addToRollUps, bookParts, debit, spendOfLimit } from './settle.js';
import { leftOfLimit, type SettlementStatements, type WatchedBalanceRow } from './statements.js';

/**
 * Settles a reservation that is no longer held: late if it was swept, otherwise by repeating the earlier answer. Runs in the caller's transaction.
 */
export function settleEnded(statements: SettlementStatements, command: SettleCommand): SettleOutcome {
  const { reservationId, ending } = command;
  const row = statements.ledger.usageRecord.get(reservationId);
  invariant(row !== undefined, 'a settlement names a reservation that exists');
  const record = usageRecordFromRow(row, statements.purchases.find.get(row.request_id));
  return isSettledLate(record, ending) ? settleLate(statements, command, record) : answerAgain(statements, reservationId, record);
}

/**
 * Settles a swept reservation, at most once, for an owner that turned out to be alive. The usage record stays unchanged. What is added to it is a
 * separate row, which readers combine with it.
 */
function settleLate(statements: SettlementStatements, command: SettleCommand, record: UsageRecord): SettleOutcome {
  const { reservationId } = command;
  if (statements.ledger.lateSettlement.get(reservationId) !== undefined) return answerAgain(statements, reservationId, record);
  const before = balanceOf(statements, record.accountId);
  const row = statements.keys.budget.get(reservationId);
  const budget = row === undefined ? null : budgetFromRow(row);
  const means = { available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) };
  const paid = record.purchase === null ? record.charge.amount : paidBy(statements.purchases, record.purchase.firstRequestId);
  const late = decideLateSettlement(record, command, { means, paid });
  const payment = { before, budget, charge: late.charged.toUnits(), freed: 0n };
  const source = { accountId: record.accountId, keyId: record.keyId, requestId: record.requestId, at: command.at ?? command.ending.endedAt };
  const balance = debit(statements, source, payment);
  spendOfLimit(statements, source, payment);
  const booked = book(statements, { reservationId, record, late, balance });
  const { charge: whole, writeOff } = withLateSettlement(record, late);
  return { charge: whole, writeOff, balance, booked };
}

/** Repeats the earlier answer, with the current balance. */
function answerAgain(statements: SettlementStatements, id: ReservationId, record: UsageRecord): SettleOutcome {
  const row = statements.ledger.lateSettlement.get(id);
  const purchase = statements.purchases.find.get(record.requestId);
  const { charge, writeOff } = row === undefined ? record : withLateSettlement(record, lateSettlementFromRow(row, purchase));
  return { charge, writeOff, balance: balanceFromRow(balanceOf(statements, record.accountId)), booked: null };
}

function balanceOf({ ledger }: SettlementStatements, accountId: string): WatchedBalanceRow {
  const row = ledger.balance.get(accountId);
  invariant(row !== undefined, 'a usage record belongs to an account');
  return row;
}

interface LateBooking {
  readonly reservationId: ReservationId;
  readonly record: UsageRecord;
  readonly late: LateSettlement;
  readonly balance: Balance;
}

/** Books the entries and the late row, and corrects the sums of the record's day. Returns `null` if nothing is charged or written off. */
function book(statements: SettlementStatements, { reservationId: id, record, late, balance }: LateBooking): Booked | null {
  const day = utcDayOf(record.endedAt);
  const { ending, charged, writeOff, covered, settledAt } = late;
  if (!covered.isZero()) statements.purchases.coverLate.run(storableUnits(covered.toUnits()), record.requestId);
  const parts = { charged, writeOff };
  const booked = bookParts(statements, { facts: record, ending, day }, { kind: 'late-settlement', ...parts, balance, reservationId: id });
  statements.usage.insertLate.run({ id, facts: record, ending, parts, day, settledAt });
  addToRollUps(statements, { facts: record, ending: record, charged: record.charge.amount, day, times: -1 });
  addToRollUps(statements, { facts: record, ending, charged: record.charge.amount.plus(charged), day, times: 1 });
  return charged.isZero() && writeOff.isZero() ? null : booked;
}
