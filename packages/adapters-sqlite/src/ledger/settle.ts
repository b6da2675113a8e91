import {
  availableOf, chargeOfEnding, clipCharge, type Ending, endStateOf, type Instant, invariant, isSettledLate, payableOf, type RequestFacts, type ReservationId,
  ServiceTokens, type SettleCommand, type Settlement, utcDayOf,
} from '@tollgate/core';
import { balanceFromRow, budgetFromRow, decodeFacts, storableUnits, usageRecordFromRow } from '@tollgate/sql-common';
import { bookCharge, bookWriteOff, debit, leftOfLimit, type SettlementStatements, spendOfLimit } from './statements.js';
import { type CachedReservation, LAST_USE_PRECISION_MILLISECONDS } from './reservation-cache.js';
import { answerAgain, settleLate } from './late.js';
import { addToRollUps } from './usage-statements.js';

interface Booking {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly settlement: Settlement;
  readonly settledAt: Instant;
}

function noteKeyUse({ ledger, keyUses, afterCommit }: SettlementStatements, { keyId, startedAt }: RequestFacts): void {
  if (keyId === null || keyUses.covers(keyId, startedAt)) return;
  const { changes } = ledger.touchKey.run(startedAt, keyId, startedAt - LAST_USE_PRECISION_MILLISECONDS);
  if (changes === 1) afterCommit(() => keyUses.note(keyId, startedAt));
}

function book(statements: SettlementStatements, booking: Booking): void {
  const { id, facts, ending, settlement, settledAt } = booking;
  const day = utcDayOf(ending.endedAt);
  const source = { reservationId: id, facts, at: ending.endedAt, day };
  const parts = { charged: settlement.charge.amount, writeOff: settlement.writeOff };
  bookCharge(statements.ledger, source, { kind: 'charge', amount: parts.charged });
  bookWriteOff(statements.ledger, source, { kind: 'write-off', units: storableUnits(parts.writeOff.toUnits()) });
  statements.usage.insertRecord.run({ id, facts, ending, parts, day, settledAt });
  addToRollUps(statements.usage, { facts, ending, charged: parts.charged, day, times: 1 });
  noteKeyUse(statements, facts);
}

/** Whether the reservation was held with just this amount, and is not any more. */
function endIfHeld({ ledger }: SettlementStatements, { reservationId, ending }: SettleCommand, { amount }: CachedReservation): boolean {
  return ledger.endHeld.run(endStateOf(ending), reservationId, amount).changes === 1;
}

/** The reservation that this ends; `null` when it is held no more. */
function endHeld(statements: SettlementStatements, command: SettleCommand): CachedReservation | null {
  const known = statements.known.take(command.reservationId);
  if (known !== null && endIfHeld(statements, command, known)) return known;
  const row = statements.ledger.held.get(command.reservationId);
  if (row === undefined) return null;
  const held = { facts: decodeFacts(row.facts), amount: row.amount, budget: budgetFromRow(row) };
  invariant(endIfHeld(statements, command, held), 'the reservation was held in this transaction');
  return held;
}

function chargeEnded(statements: SettlementStatements, { reservationId: id, ending, at = ending.endedAt }: SettleCommand, held: CachedReservation): Settlement {
  const { facts, budget, amount: freed } = held;
  const before = statements.ledger.balance.get(facts.accountId);
  invariant(before !== undefined, 'a reservation belongs to an account');
  const means = { available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) };
  const payable = payableOf(means, ServiceTokens.fromUnits(freed));
  const { charge, writeOff } = clipCharge(chargeOfEnding(ending, facts), payable, facts);
  const balance = debit(statements.ledger, facts.accountId, { before, charge: charge.amount.toUnits(), freed });
  spendOfLimit(statements.keys, budget, { charge: charge.amount.toUnits(), freed });
  const settlement: Settlement = { charge, writeOff, balance };
  book(statements, { id, facts, ending, settlement, settledAt: at });
  return settlement;
}

/** Ends a held reservation, or answers for one that has ended. Runs in one transaction. */
export function settle(statements: SettlementStatements, command: SettleCommand): Settlement {
  const { reservationId, ending } = command;
  const held = endHeld(statements, command);
  if (held !== null) return chargeEnded(statements, command, held);
  const row = statements.ledger.usageRecord.get(reservationId);
  invariant(row !== undefined, 'a settlement names a reservation that exists');
  const record = usageRecordFromRow(row);
  return isSettledLate(record, ending) ? settleLate(statements, command, record) : answerAgain(statements, reservationId, record);
}
