import { availableOf, decideLateSettlement, invariant, type LateSettlement, type ReservationId, type SettleCommand, type Settlement, type UsageRecord, utcDayOf, withLateSettlement } from '@tollgate/core';
import { balanceFromRow, type BalanceRow, lateSettlementFromRow, storableUnits } from '@tollgate/sql-common';
import { bookCharge, bookWriteOff, budgetOfReservation, debit, leftOfLimit, type SettlementStatements, spendOfLimit } from './statements.js';
import { addToRollUps } from './usage-statements.js';

function balanceOf({ ledger }: SettlementStatements, accountId: string): BalanceRow {
  const row = ledger.balance.get(accountId);
  invariant(row !== undefined, 'a usage record belongs to an account');
  return row;
}

/** The settlement of a reservation that has ended already; the balance is today's. */
export function answerAgain(statements: SettlementStatements, id: ReservationId, record: UsageRecord): Settlement {
  const row = statements.ledger.lateSettlement.get(id);
  const { charge, writeOff } = row === undefined ? record : withLateSettlement(record, lateSettlementFromRow(row));
  return { charge, writeOff, balance: balanceFromRow(balanceOf(statements, record.accountId)) };
}

interface LateBooking {
  readonly reservationId: ReservationId;
  readonly record: UsageRecord;
  readonly late: LateSettlement;
}

/** The entries, the row beside the record, and the sums of the record's day, which take back what the checkpoint added. */
function book(statements: SettlementStatements, { reservationId: id, record, late }: LateBooking): void {
  const day = utcDayOf(record.endedAt);
  const { ending, charged, writeOff, settledAt } = late;
  const source = { reservationId: id, facts: record, at: ending.endedAt, day };
  bookCharge(statements.ledger, source, { kind: 'late-charge', amount: charged });
  bookWriteOff(statements.ledger, source, { kind: 'late-write-off', units: storableUnits(writeOff.toUnits()) });
  statements.usage.insertLate.run({ id, facts: record, ending, parts: { charged, writeOff }, day, settledAt });
  addToRollUps(statements.usage, { facts: record, ending: record, charged: record.charge.amount, day, times: -1 });
  addToRollUps(statements.usage, { facts: record, ending, charged: record.charge.amount.plus(charged), day, times: 1 });
}

/**
 * Settles for an owner that was taken for dead, at most once. The usage record stays as the sweeper wrote it;
 * the rest is a row of its own, which readers see together with the record.
 */
export function settleLate(statements: SettlementStatements, command: SettleCommand, record: UsageRecord): Settlement {
  const { reservationId } = command;
  if (statements.ledger.lateSettlement.get(reservationId) !== undefined) return answerAgain(statements, reservationId, record);
  const before = balanceOf(statements, record.accountId);
  const budget = budgetOfReservation(statements.keys, reservationId);
  const late = decideLateSettlement(record, command, { available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) });
  const charge = late.charged.toUnits();
  const balance = debit(statements.ledger, record.accountId, { before, charge, freed: 0n });
  spendOfLimit(statements.keys, budget, { charge, freed: 0n });
  book(statements, { reservationId, record, late });
  const { charge: whole, writeOff } = withLateSettlement(record, late);
  return { charge: whole, writeOff, balance };
}
