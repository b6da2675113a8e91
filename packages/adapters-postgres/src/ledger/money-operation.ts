import {
  type Booked, bookedSettlement, chargeOf, chargeOfEnding, type Ending, endStateOf, invariant, type KeyBudget, parseTokenRate, type RequestFacts, type ReservationId,
  type ReserveCommand, type ReserveOutcome, ServiceTokens, type SettleCommand, type SettlementKind, type SettleOutcome, type TokenRate,
} from '@tollgate/core';
import { balanceFromRow, endingToColumns, type LeaseClock, MAX_UNITS, storableFacts, storableTextOrNull } from '@tollgate/sql-common';

/** An operation in the JSON that the SQL function takes. */
export type MoneyOperation = Readonly<Record<string, string | number | null | RequestFacts>>;

/** Replaces larger amounts, which the column cannot hold. No balance covers it. */
const BEYOND_ANY_BALANCE = MAX_UNITS + 1n;
/** Replaces larger costs. The charge and the write-off of a settlement are at most `MAX_UNITS` each. */
const MAX_COST = 2n * MAX_UNITS;

function unitsToSetAside(amount: ServiceTokens): string {
  invariant(!amount.isNegative(), 'an amount to set aside is not negative');
  const units = amount.toUnits();
  return (units > BEYOND_ANY_BALANCE ? BEYOND_ANY_BALANCE : units).toString();
}

function budgetFields(budget: KeyBudget | null): MoneyOperation {
  return budget === null ? {} : { key_lineage: budget.lineage, key_period: budget.period, key_limit: budget.limit.toUnits().toString() };
}

/** Sends the remaining time if the server's clock decides, otherwise the deadline. */
function deadlineFields({ facts, at = facts.startedAt, expiresAt }: ReserveCommand, clock: LeaseClock): MoneyOperation {
  return clock === 'database' ? { lifetime: expiresAt - at } : { expires_at: expiresAt };
}

export function reserveOperation(command: ReserveCommand, clock: LeaseClock): MoneyOperation {
  const { reservationId, ownerId, amount, floor, facts, at, purchaseOf = null, budget = null } = command;
  invariant(!amount.isLessThan(floor), 'a floor is at most the amount');
  return {
    kind: 'reserve', id: reservationId, account: facts.accountId, owner: ownerId, amount: unitsToSetAside(amount), floor: unitsToSetAside(floor),
    facts: storableFacts(facts), created_at: at ?? facts.startedAt, ...deadlineFields(command, clock), ...(purchaseOf === null ? {} : { purchase_of: purchaseOf }), ...budgetFields(budget),
  };
}

/** Identifies an extension, so that a repeated one has no effect. */
export interface ExtensionName {
  readonly extender: string;
  /** Number of the extension within its process, increasing. */
  readonly extension: number;
}

export function extendOperation(id: ReservationId, amount: ServiceTokens, name: ExtensionName): MoneyOperation {
  return { kind: 'extend', id, amount: unitsToSetAside(amount), ...name };
}

/** The cost in service tokens does not depend on the currency rate. */
const ANY_RATE = { usdPerServiceToken: parseTokenRate('1') };

function costOf(ending: Ending): string {
  const units = chargeOfEnding(ending, ANY_RATE).amount.toUnits();
  return (units > MAX_COST ? MAX_COST : units).toString();
}

export function settleOperation({ reservationId, ending, at, atMost = null }: SettleCommand): MoneyOperation {
  const columns = endingToColumns(ending);
  return {
    kind: 'settle', id: reservationId, state: endStateOf(ending), cost: costOf(ending), ...columns, settled_at: at ?? ending.endedAt, served_by: storableTextOrNull(columns.served_by),
    ...(atMost === null ? {} : { at_most: atMost.toUnits().toString() }),
  };
}

/** Outcome of an operation, and the state of its account afterwards. */
export interface MoneyAnswer {
  readonly outcome: string;
  readonly balance: bigint;
  readonly reserved: bigint;
  /** Amount that was reserved; `null` for other operations. */
  readonly set_aside: bigint | null;
  /** Rest of the key's limit before the operation; `null` without a limit. */
  readonly key_left: bigint | null;
  readonly charged: bigint;
  readonly written_off: bigint;
  readonly usd_rate: string | null;
  /** Kind of the booking. This and the following fields are `null` if the operation booked no settlement. */
  readonly booked: SettlementKind | null;
  /** Charge of this settlement, without earlier ones of the reservation. */
  readonly booked_charge: bigint | null;
  readonly booked_write_off: bigint | null;
  readonly account: string | null;
  readonly request: string | null;
  readonly key: string | null;
  readonly format: string | null;
}

function refused({ outcome, balance, reserved, key_left }: MoneyAnswer): ReserveOutcome {
  if (outcome === 'key-limit') return { outcome, left: ServiceTokens.fromUnits(key_left ?? 0n) };
  return { outcome: 'insufficient', available: ServiceTokens.fromUnits(balance - reserved) };
}

export function reserveOutcome(answer: MoneyAnswer): ReserveOutcome {
  if (answer.outcome !== 'reserved') return refused(answer);
  invariant(answer.set_aside !== null, 'a reservation says what was set aside');
  return { outcome: 'reserved', amount: ServiceTokens.fromUnits(answer.set_aside) };
}

/** Unlike `reserveOutcome`, the reserved amount is always the requested one. */
export function extendOutcome(answer: MoneyAnswer, amount: ServiceTokens): ReserveOutcome {
  invariant(answer.outcome !== 'not-held', 'only a held reservation is extended');
  return answer.outcome === 'reserved' ? { outcome: 'reserved', amount } : refused(answer);
}

type EndedReservation = Pick<SettleCommand, 'reservationId' | 'ending'>;

/** Returns `null` if the settlement was booked by an earlier operation. */
export function bookedBy({ booked: kind, booked_charge: charge, booked_write_off: writeOff, ...answer }: MoneyAnswer, { reservationId, ending }: EndedReservation): Booked | null {
  if (kind === null || charge === null || writeOff === null) return null;
  const { account, request, key, format } = answer;
  // The SQL function returns the account, request, key and format of the reservation's facts.
  const facts = { accountId: account, requestId: request, keyId: key, format } as RequestFacts;
  return bookedSettlement(facts, ending, {
    kind, charged: ServiceTokens.fromUnits(charge), writeOff: ServiceTokens.fromUnits(writeOff), balance: balanceFromRow(answer), reservationId,
  });
}

export function settlementFrom(answer: MoneyAnswer, ended: EndedReservation): SettleOutcome {
  const { outcome, balance, reserved, charged, written_off, usd_rate } = answer;
  invariant(outcome === 'settled' && usd_rate !== null, 'a settlement names a reservation that exists');
  return {
    charge: chargeOf(ServiceTokens.fromUnits(charged), usd_rate as TokenRate),
    writeOff: ServiceTokens.fromUnits(written_off),
    balance: balanceFromRow({ balance, reserved }),
    booked: bookedBy(answer, ended),
  };
}
