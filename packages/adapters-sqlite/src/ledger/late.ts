import {
  availableOf, type Balance, chargeOf, chargeOfEnding, drawableOf, type Ending, type Instant, invariant, type RequestFacts, type ReservationId,
  ServiceTokens, type SettleCommand, type Settlement, smallerOf, type UtcDay,
} from '@tollgate/core';
import {
  balanceFromRow, type BalanceRow, type ChargedParts, chargedPartsFromRow, endingFromRow, factsFromRow, instantOrNull, storableUnits,
  type UsageRecordRow,
} from '@tollgate/sql-common';
import { bookCharge, bookWriteOff, debit } from './book-entry.js';
import { budgetOfReservation, leftOfLimit, spendOfLimit } from './key-spending.js';
import type { SettlementStatements } from './statements.js';
import { addToRollUps } from './usage-statements.js';

const NOTHING: ChargedParts = { charged: ServiceTokens.ZERO, writeOff: ServiceTokens.ZERO };

function balanceOf({ ledger }: SettlementStatements, accountId: string): BalanceRow {
  const row = ledger.balance.get(accountId);
  invariant(row !== undefined, 'a usage record belongs to an account');
  return row;
}

/** Both charges as one, since a request has one receipt. */
function settlementOf(record: UsageRecordRow, late: ChargedParts, balance: Balance): Settlement {
  const first = chargedPartsFromRow(record);
  return {
    charge: chargeOf(first.charged.plus(late.charged), factsFromRow(record).usdPerServiceToken),
    writeOff: first.writeOff.plus(late.writeOff),
    balance,
  };
}

/** The settlement of a reservation that has ended already; the balance is today's. */
export function answerAgain(statements: SettlementStatements, record: UsageRecordRow): Settlement {
  const late = statements.ledger.lateSettlement.get(record.reservation_id);
  const parts = late === undefined ? NOTHING : chargedPartsFromRow(late);
  return settlementOf(record, parts, balanceFromRow(balanceOf(statements, record.account_id)));
}

/** What the real ending costs beyond what the checkpoint was charged or written off for; never less than nothing. */
function dueOf(ending: Ending, record: UsageRecordRow, facts: RequestFacts): ServiceTokens {
  const { charged, writeOff } = chargedPartsFromRow(record);
  const due = chargeOfEnding(ending, facts).amount.minus(charged).minus(writeOff);
  return due.isNegative() ? ServiceTokens.ZERO : due;
}

interface LateBooking {
  readonly record: UsageRecordRow;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly parts: ChargedParts;
  readonly settledAt: Instant | null;
}

/** The sums of the request's day are those of its record as it is read from now on. */
function correctRollUps({ usage }: SettlementStatements, { record, facts, ending, parts }: LateBooking): void {
  const day = record.day as UtcDay;
  const { charged } = chargedPartsFromRow(record);
  addToRollUps(usage, { facts, ending: endingFromRow(record), charged, day, times: -1 });
  addToRollUps(usage, { facts, ending, charged: charged.plus(parts.charged), day, times: 1 });
}

function book(statements: SettlementStatements, booking: LateBooking): void {
  const { record, facts, ending, parts, settledAt } = booking;
  const reservationId = record.reservation_id as ReservationId;
  const source = { reservationId, facts, at: ending.endedAt, day: record.day as UtcDay };
  bookCharge(statements.ledger, source, { kind: 'late-charge', amount: parts.charged });
  bookWriteOff(statements.ledger, source, { kind: 'late-write-off', units: storableUnits(parts.writeOff.toUnits()) });
  statements.usage.insertLate.run({ id: reservationId, facts, ending, parts, day: source.day, settledAt });
  correctRollUps(statements, booking);
}

/**
 * Settles for an owner that was taken for dead. At most once, and bounded by what is available: nothing is set aside any more.
 * The usage record stays as the sweeper wrote it; the rest is a row of its own, which readers are shown together with it.
 * When the checkpoint has covered everything, that row repeats the record's ending, so that no later attempt is charged.
 */
export function settleLate(statements: SettlementStatements, { reservationId, ending, at = ending.endedAt }: SettleCommand, record: UsageRecordRow): Settlement {
  if (statements.ledger.lateSettlement.get(reservationId) !== undefined) return answerAgain(statements, record);
  const facts = factsFromRow(record);
  const due = dueOf(ending, record, facts);
  const before = balanceOf(statements, record.account_id);
  const budget = budgetOfReservation(statements.keys, reservationId);
  const charged = smallerOf(due, drawableOf({ available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) }));
  const parts: ChargedParts = { charged, writeOff: due.minus(charged) };
  const after = debit(statements.ledger, record.account_id, { before, charge: charged.toUnits(), freed: 0n });
  spendOfLimit(statements.keys, budget, { charge: charged.toUnits(), freed: 0n });
  const actual = due.isZero() ? { ending: endingFromRow(record), settledAt: instantOrNull(record.settled_at) } : { ending, settledAt: at };
  book(statements, { record, facts, parts, ...actual });
  return settlementOf(record, parts, after);
}
