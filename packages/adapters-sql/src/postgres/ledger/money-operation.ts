import {
  chargeOfEnding, type Ending, endStateOf, invariant, type KeyBudget, parseTokenRate, type RequestFacts, type ReservationId, type ReserveCommand, type ServiceTokens, type SettleCommand,
} from '@tollgate/core';
import { storableFacts } from '../../ledger/reservation-json.js';
import { MAXIMUM_UNITS } from '../../schema/amount-bounds.js';
import { storableTextOrNull } from '../../text/storable-text.js';
import { endingToColumns } from '../../usage/ending-row.js';

/** One operation as the database is given it, in JSON. */
export type MoneyOperation = Readonly<Record<string, string | number | null | RequestFacts>>;

/** What no balance can pay, and a column can still hold. */
const BEYOND_ANY_BALANCE = MAXIMUM_UNITS + 1n;
/** Twice as much as can be charged and written off together. */
const LARGEST_COST = 2n * MAXIMUM_UNITS;

function unitsToSetAside(amount: ServiceTokens): string {
  invariant(!amount.isNegative(), 'an amount to set aside is not negative');
  const units = amount.toUnits();
  return (units > BEYOND_ANY_BALANCE ? BEYOND_ANY_BALANCE : units).toString();
}

function budgetFields(budget: KeyBudget | null): MoneyOperation {
  return budget === null ? {} : { key_lineage: budget.lineage, key_period: budget.period, key_limit: budget.limit.toUnits().toString() };
}

export function reserveOperation({ reservationId, ownerId, amount, floor, facts, at, budget = null, expiresAt }: ReserveCommand): MoneyOperation {
  invariant(!amount.isLessThan(floor), 'a floor is at most the amount');
  return {
    kind: 'reserve', id: reservationId, account: facts.accountId, owner: ownerId, amount: unitsToSetAside(amount), floor: unitsToSetAside(floor),
    facts: storableFacts(facts), created_at: at ?? facts.startedAt, expires_at: expiresAt, ...budgetFields(budget),
  };
}

/** Names one extension among all that a process asks for, so that one which is sent twice counts once. */
export interface ExtensionName {
  readonly extender: string;
  /** Grows from one extension of that process to the next. */
  readonly extension: number;
}

export function extendOperation(id: ReservationId, amount: ServiceTokens, name: ExtensionName): MoneyOperation {
  return { kind: 'extend', id, amount: unitsToSetAside(amount), ...name };
}

/** What an ending costs depends on its own price only; the rate between the currencies is not looked at. */
const ANY_RATE = { usdPerServiceToken: parseTokenRate('1') };

function costOf(ending: Ending): string {
  const units = chargeOfEnding(ending, ANY_RATE).amount.toUnits();
  return (units > LARGEST_COST ? LARGEST_COST : units).toString();
}

export function settleOperation({ reservationId, ending, at }: SettleCommand): MoneyOperation {
  const columns = endingToColumns(ending);
  return {
    kind: 'settle', id: reservationId, state: endStateOf(ending), cost: costOf(ending), ...columns, settled_at: at ?? ending.endedAt, served_by: storableTextOrNull(columns.served_by),
  };
}
