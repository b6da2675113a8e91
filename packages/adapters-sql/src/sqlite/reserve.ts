import { availableOf, decideReserve, invariant, type ReservationId, type ReserveCommand, type ReserveOutcome, ServiceTokens } from '@tollgate/core';
import { balanceFromRow } from '../ledger/balance-row.js';
import { encodeFacts } from '../ledger/reservation-json.js';
import { MAXIMUM_UNITS } from '../schema/amount-bounds.js';
import type { LedgerStatements } from './ledger-statements.js';
import type { SettlementStatements } from './settlement-statements.js';

const NO_ACCOUNT: ReserveOutcome = { outcome: 'insufficient', available: ServiceTokens.ZERO };

function insufficient(statements: LedgerStatements, accountId: string): ReserveOutcome {
  const row = statements.balance.get(accountId);
  return row === undefined ? NO_ACCOUNT : { outcome: 'insufficient', available: availableOf(balanceFromRow(row)) };
}

/** No balance is that large, and no column could hold the amount. */
function isBeyondAnyBalance(amount: ServiceTokens): boolean {
  return amount.toUnits() > MAXIMUM_UNITS;
}

/** Sets an amount aside if the balance covers it and the reservation does not exist: one conditional statement. */
function setAside(statements: LedgerStatements, { reservationId, facts }: ReserveCommand, amount: ServiceTokens): boolean {
  if (isBeyondAnyBalance(amount)) return false;
  const units = amount.toUnits();
  return statements.setAside.run(units, facts.accountId, units, reservationId).changes === 1;
}

/** Sets aside what is available where it reaches the floor, by the same statement, after the whole amount was refused by it. */
function setPartAside(statements: LedgerStatements, command: ReserveCommand): ReserveOutcome {
  const row = statements.balance.get(command.facts.accountId);
  if (row === undefined) return NO_ACCOUNT;
  const outcome = decideReserve(availableOf(balanceFromRow(row)), command);
  if (outcome.outcome === 'insufficient') return outcome;
  invariant(setAside(statements, command, outcome.amount), 'the balance was read in this transaction');
  return outcome;
}

/** What an earlier call has set aside for the reservation; `null` when there was none. */
function earlierOutcome(statements: LedgerStatements, id: ReservationId): ReserveOutcome | null {
  const row = statements.reservedAmount.get(id);
  return row === undefined ? null : { outcome: 'reserved', amount: ServiceTokens.fromUnits(row.amount) };
}

/** Sets aside what the balance gives and inserts the reservation; both or neither, since both run in one transaction. */
export function reserve({ ledger: statements, known }: SettlementStatements, command: ReserveCommand): ReserveOutcome {
  const { reservationId: id, ownerId, facts, expiresAt } = command;
  invariant(!command.amount.isNegative(), 'an amount to set aside is not negative');
  let { amount } = command;
  if (!setAside(statements, command, amount)) {
    const earlier = earlierOutcome(statements, id);
    if (earlier !== null) return earlier;
    const part = setPartAside(statements, command);
    if (part.outcome === 'insufficient') return part;
    amount = part.amount;
  }
  const units = amount.toUnits();
  statements.insertReservation.run(id, facts.accountId, ownerId, units, encodeFacts(facts), facts.startedAt, expiresAt);
  known.remember(id, { facts, amount: units });
  return { outcome: 'reserved', amount };
}

/** Grows a held reservation and what is set aside for it by the same amount. */
export function extend(statements: LedgerStatements, id: ReservationId, amount: ServiceTokens): ReserveOutcome {
  invariant(!amount.isNegative(), 'an amount to set aside is not negative');
  const held = statements.heldBy.get(id);
  invariant(held !== undefined, 'only a held reservation is extended');
  if (isBeyondAnyBalance(amount)) return insufficient(statements, held.account_id);
  const { changes } = statements.setMoreAside.run({ amount: amount.toUnits(), accountId: held.account_id });
  if (changes === 0) return insufficient(statements, held.account_id);
  const grown = statements.grow.run(amount.toUnits(), id);
  invariant(grown.changes === 1, 'the reservation was held in this transaction');
  return { outcome: 'reserved', amount };
}
