import { type AccountId, availableOf, invariant, type ReservationId, type ReserveCommand, type ReserveOutcome, ServiceTokens } from '@tollgate/core';
import { balanceFromRow } from '../ledger/balance-row.js';
import { encodeFacts } from '../ledger/reservation-json.js';
import { MAXIMUM_UNITS } from '../schema/amount-bounds.js';
import type { LedgerStatements } from './ledger-statements.js';
import type { SettlementStatements } from './settlement-statements.js';

function insufficient(statements: LedgerStatements, accountId: string): ReserveOutcome {
  const row = statements.balance.get(accountId);
  return { outcome: 'insufficient', available: row === undefined ? ServiceTokens.ZERO : availableOf(balanceFromRow(row)) };
}

/** No balance is that large, and no column could hold the amount. */
function isBeyondAnyBalance(amount: ServiceTokens): boolean {
  return amount.toUnits() > MAXIMUM_UNITS;
}

/** Sets an amount aside and inserts the reservation; both or neither, since both run in one transaction. */
export function reserve({ ledger: statements, known }: SettlementStatements, command: ReserveCommand): ReserveOutcome {
  const { reservationId: id, ownerId, amount, facts, expiresAt } = command;
  const accountId: AccountId = facts.accountId;
  invariant(!amount.isNegative(), 'an amount to set aside is not negative');
  if (isBeyondAnyBalance(amount)) return insufficient(statements, accountId);
  const units = amount.toUnits();
  const { changes } = statements.setAside.run(units, accountId, units, id);
  if (changes === 0) {
    const isRepeated = statements.reservationState.get(id) !== undefined;
    return isRepeated ? { outcome: 'reserved' } : insufficient(statements, accountId);
  }
  statements.insertReservation.run(id, accountId, ownerId, units, encodeFacts(facts), facts.startedAt, expiresAt);
  known.remember(id, { facts, amount: units });
  return { outcome: 'reserved' };
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
  return { outcome: 'reserved' };
}
