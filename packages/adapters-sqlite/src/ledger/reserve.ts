import {
  availableOf, decideReserve, invariant, type KeyBudget, type Means, type ReservationId, type ReserveCommand, type ReserveOutcome, ServiceTokens,
} from '@tollgate/core';
import { balanceFromRow, budgetFromRow, encodeFacts, MAX_UNITS } from '@tollgate/sql-common';
import { type LedgerStatements, leftOfLimit, type SettlementStatements } from './statements.js';

const NO_ACCOUNT: ReserveOutcome = { outcome: 'insufficient', available: ServiceTokens.ZERO };

/** Balance and rest of the key limit, read in this transaction; `null` if the account does not exist. */
function meansOf({ ledger, keys }: SettlementStatements, accountId: string, budget: KeyBudget | null): Means | null {
  const row = ledger.balance.get(accountId);
  return row === undefined ? null : { available: availableOf(balanceFromRow(row)), left: leftOfLimit(keys, budget) };
}

/** True if the amount exceeds every balance, and the range of the columns. */
function isBeyondAnyBalance(amount: ServiceTokens): boolean {
  return amount.toUnits() > MAX_UNITS;
}

/** Sets the amount aside in one conditional statement. Returns false if the balance does not suffice or the reservation exists. */
function setAside(statements: LedgerStatements, { reservationId, facts }: ReserveCommand, amount: ServiceTokens): boolean {
  if (isBeyondAnyBalance(amount)) return false;
  const units = amount.toUnits();
  return statements.setAside.run(units, facts.accountId, units, reservationId).changes === 1;
}

/** Sets the amount aside from the key's limit, if there is one. */
function setAsideOfLimit({ keys }: SettlementStatements, budget: KeyBudget | null, units: bigint): void {
  if (budget === null) return;
  const limit = budget.limit.toUnits();
  const { changes } = keys.setAside.run(budget.lineage, budget.period, units, units, limit, limit);
  invariant(changes === 1, 'what is left of the limit was read in this transaction');
}

/** Reserves as much of the amount as balance and limit permit, if that is at least the floor. */
function setPartAside(statements: SettlementStatements, command: ReserveCommand): ReserveOutcome {
  const { budget = null, facts } = command;
  const means = meansOf(statements, facts.accountId, budget);
  if (means === null) return NO_ACCOUNT;
  const outcome = decideReserve(means, command);
  if (outcome.outcome !== 'reserved') return outcome;
  invariant(setAside(statements.ledger, command, outcome.amount), 'the balance was read in this transaction');
  setAsideOfLimit(statements, budget, outcome.amount.toUnits());
  return outcome;
}

/** The outcome of an earlier command for the same reservation; `null` if there was none. */
function earlierOutcome(statements: LedgerStatements, id: ReservationId): ReserveOutcome | null {
  const row = statements.reservedAmount.get(id);
  return row === undefined ? null : { outcome: 'reserved', amount: ServiceTokens.fromUnits(row.amount) };
}

function insertReservation({ ledger, keys }: SettlementStatements, command: ReserveCommand, units: bigint): void {
  const { reservationId: id, ownerId, facts, at = facts.startedAt, expiresAt, budget = null } = command;
  const values = [id, facts.accountId, ownerId, units, encodeFacts(facts), at, expiresAt] as const;
  if (budget === null) ledger.insertReservation.run(...values);
  else keys.insertReservation.run(...values, budget.lineage, budget.period, budget.limit.toUnits());
}

/** Adds the command's request, and the request in `purchaseOf`, to one purchase. */
function joinPurchase({ purchases }: SettlementStatements, { purchaseOf = null, facts }: ReserveCommand): void {
  if (purchaseOf === null) return;
  for (const requestId of [purchaseOf, facts.requestId]) purchases.insert.run(requestId, purchaseOf);
}

/** Reserves an amount. Runs in the caller's transaction, and writes only if it reserves. */
export function reserve(statements: SettlementStatements, command: ReserveCommand): ReserveOutcome {
  invariant(!command.amount.isNegative(), 'an amount to set aside is not negative');
  const isUnlimited = (command.budget ?? null) === null;
  let { amount } = command;
  if (!isUnlimited || !setAside(statements.ledger, command, amount)) {
    const earlier = earlierOutcome(statements.ledger, command.reservationId);
    if (earlier !== null) return earlier;
    const part = setPartAside(statements, command);
    if (part.outcome !== 'reserved') return part;
    amount = part.amount;
  }
  insertReservation(statements, command, amount.toUnits());
  joinPurchase(statements, command);
  return { outcome: 'reserved', amount };
}

interface RefusedExtension {
  readonly accountId: string;
  readonly budget: KeyBudget | null;
  readonly amount: ServiceTokens;
}

/** The refusal: either the key's limit or the balance is too low. */
function refusedExtension(statements: SettlementStatements, { accountId, budget, amount }: RefusedExtension): ReserveOutcome {
  const means = meansOf(statements, accountId, budget);
  return means === null ? NO_ACCOUNT : decideReserve(means, { amount, floor: amount });
}

export function extend(statements: SettlementStatements, id: ReservationId, amount: ServiceTokens): ReserveOutcome {
  invariant(!amount.isNegative(), 'an amount to set aside is not negative');
  const { ledger, keys } = statements;
  const held = ledger.heldBy.get(id);
  invariant(held !== undefined, 'only a held reservation is extended');
  const budget = budgetFromRow(held);
  const units = amount.toUnits();
  const left = leftOfLimit(keys, budget);
  const fits = (left === null || !left.isLessThan(amount)) && !isBeyondAnyBalance(amount);
  if (!fits || ledger.setMoreAside.run({ amount: units, accountId: held.account_id }).changes === 0) {
    return refusedExtension(statements, { accountId: held.account_id, budget, amount });
  }
  setAsideOfLimit(statements, budget, units);
  const grown = ledger.grow.run(units, id);
  invariant(grown.changes === 1, 'the reservation was held in this transaction');
  return { outcome: 'reserved', amount };
}
