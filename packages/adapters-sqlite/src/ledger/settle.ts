import {
  type ApiKeyId, availableOf, type Balance, type Booked, bookedSettlement, type BookingSource, chargeOfEnding, clipCharge, type Ending, endStateOf, type Instant, invariant, isKnownHold, type KeyBudget, keyLimitEvent, type KnownHold,
  MILLISECONDS_PER_MINUTE, payableOf, type RequestEntryKind, type RequestFacts, type ReservationId, REVENUE, ServiceTokens, type SettleCommand, type SettledParts,
  settlementKindOf, type SettleOutcome, type UtcDay, utcDayOf, WRITE_OFFS,
} from '@tollgate/core';
import { balanceFromRow, budgetFromRow, decodeFacts, storableUnits } from '@tollgate/sql-common';
import { paidBy } from './purchases.js';
import { type LedgerStatements, leftOfLimit, type RollUpPart, type SettlementStatements, type WatchedBalanceRow } from './statements.js';

type SettlementFigures = Omit<SettledNow, 'booked'>;

export type SettledNow = SettleOutcome & { readonly balance: Balance; readonly booked: Booked };

/** Settles a held reservation in the caller's transaction. Returns `null` if the reservation is not held. */
export function settle(statements: SettlementStatements, command: SettleCommand): SettledNow | null {
  const ended = endHeld(statements.ledger, command);
  return ended === null ? null : chargeEnded(statements, command, ended);
}

type EndedHold = Pick<KnownHold, 'facts' | 'amount' | 'budget'>;

/** Ends the reservation. Reads it only if the caller's `hold` is missing or differs from what is held. */
function endHeld(ledger: LedgerStatements, { reservationId, ending, hold }: SettleCommand): EndedHold | null {
  const endIfHeldAs = (amount: bigint, accountId: string): boolean => (
    ledger.endHeld.run(endStateOf(ending), reservationId, amount, accountId).changes === 1);
  if (hold !== undefined && isKnownHold(hold) && endIfHeldAs(hold.amount.toUnits(), hold.facts.accountId)) return hold;
  const row = ledger.held.get(reservationId);
  if (row === undefined) return null;
  const facts = decodeFacts(row.facts);
  invariant(endIfHeldAs(row.amount, facts.accountId), 'the reservation was held in this transaction');
  return { facts, amount: ServiceTokens.fromUnits(row.amount), budget: budgetFromRow(row) };
}

function chargeEnded(statements: SettlementStatements, { reservationId: id, ending, at = ending.endedAt, atMost = null }: SettleCommand, { facts, amount, budget }: EndedHold): SettledNow {
  const before = statements.ledger.beforeSettlement.get(facts.requestId, facts.keyId, facts.accountId);
  invariant(before !== undefined, 'a reservation belongs to an account');
  const means = { available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) };
  const payable = payableOf(means, amount);
  const paid = before.purchase_id === null ? ServiceTokens.ZERO : paidBy(statements.purchases, before.purchase_id);
  const { charge, writeOff, covered } = clipCharge(chargeOfEnding(ending, facts), { payable, paid, atMost }, facts);
  if (!covered.isZero()) statements.purchases.cover.run(storableUnits(covered.toUnits()), facts.requestId);
  const payment = { before, budget, charge: charge.amount.toUnits(), freed: amount.toUnits() };
  const source = { accountId: facts.accountId, keyId: facts.keyId, requestId: facts.requestId, at };
  const balance = debit(statements, source, payment);
  spendOfLimit(statements, source, payment);
  const booked = book(statements, { id, facts, ending, settlement: { charge, writeOff, balance }, settledAt: at });
  noteKeyUse(statements.ledger, facts, before.key_used_at);
  return { charge, writeOff, balance, booked };
}

interface Booking {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly settlement: SettlementFigures;
  readonly settledAt: Instant;
}

function book(statements: SettlementStatements, { id, facts, ending, settlement: { charge, writeOff, balance }, settledAt }: Booking): Booked {
  const day = utcDayOf(ending.endedAt);
  const parts = { kind: settlementKindOf(ending), charged: charge.amount, writeOff, balance, reservationId: id };
  const booked = bookParts(statements, { facts, ending, day }, parts);
  statements.usage.insertRecord.run({ id, facts, ending, parts, day, settledAt });
  addToRollUps(statements, { facts, ending, charged: parts.charged, day, times: 1 });
  return booked;
}

/** Precision of a key's last use. It is coarse, so that most requests do not write it. */
const LAST_USE_PRECISION_MILLISECONDS = MILLISECONDS_PER_MINUTE;

/** `usedAt` must have been read in this transaction. */
function noteKeyUse({ touchKey }: LedgerStatements, { keyId, startedAt }: RequestFacts, usedAt: bigint | null): void {
  if (keyId !== null && (usedAt === null || usedAt <= startedAt - LAST_USE_PRECISION_MILLISECONDS)) touchKey.run(startedAt, keyId);
}

/** Amounts in micro-tokens. */
interface Payment {
  /** The account, as read in this transaction. */
  readonly before: WatchedBalanceRow;
  readonly budget: KeyBudget | null;
  readonly charge: bigint;
  /** Amount of the reservation, which is no longer reserved. */
  readonly freed: bigint;
}

export interface PaymentSource extends BookingSource {
  readonly keyId: ApiKeyId | null;
}

/** Charges the account, and stores the events of the thresholds that this crosses. Returns the balance afterwards. */
export function debit({ ledger, crossings }: SettlementStatements, source: PaymentSource, { before, charge, freed }: Payment): Balance {
  const { changes } = ledger.debit.run(charge, freed, source.accountId);
  invariant(changes === 1, 'the account was found in this transaction');
  const balance = before.balance - charge;
  if (balance < before.alert_below && charge > 0n) {
    const change = { before: ServiceTokens.fromUnits(before.balance), after: ServiceTokens.fromUnits(balance) };
    crossings.cross({ source, change, watched: before });
  }
  return balanceFromRow({ balance, reserved: before.reserved - freed });
}

/** Adds the charge to the spending of a key with a limit, and stores the event if this reaches the limit. */
export function spendOfLimit({ keys, crossings }: SettlementStatements, source: PaymentSource, { before, budget, charge, freed }: Payment): void {
  if (budget === null || (charge === 0n && freed === 0n)) return;
  const { changes } = keys.spend.run(charge, freed, budget.lineage, budget.period);
  invariant(changes === 1, 'the row was written when the request reserved');
  if (charge === 0n) return;
  const spent = keys.spending.get(budget.lineage, budget.period)?.spent ?? 0n;
  const change = { before: ServiceTokens.fromUnits(spent - charge), after: ServiceTokens.fromUnits(spent) };
  const event = keyLimitEvent({ ...source, budget, spent: change, exhaustedBelow: ServiceTokens.fromUnits(before.exhausted_below) });
  if (event !== null) crossings.store(event);
}

interface EntrySource {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  /** UTC day of the request's end. A late charge belongs to the same day. */
  readonly day: UtcDay;
}

/**
 * The only place where settlements are booked: a charge, which the customer pays, and a write-off, which no account pays. Everything that is stored
 * with each settlement belongs here.
 */
export function bookParts(statements: SettlementStatements, source: EntrySource, parts: SettledParts): Booked {
  const { reservationId, charged } = parts;
  const isLate = parts.kind === 'late-settlement';
  insertEntry(statements, source, { kind: isLate ? 'late-charge' : 'charge', payer: source.facts.accountId, amount: charged.toUnits(), reservationId });
  insertEntry(statements, source, { kind: isLate ? 'late-write-off' : 'write-off', payer: WRITE_OFFS, amount: storableUnits(parts.writeOff.toUnits()), reservationId });
  return bookedSettlement(source.facts, source.ending, parts);
}

interface Transfer {
  readonly kind: RequestEntryKind;
  readonly reservationId: ReservationId;
  readonly payer: string;
  readonly amount: bigint;
}

/** Books an entry. An amount of zero has no entry. */
function insertEntry({ ledger }: SettlementStatements, { facts, ending, day }: EntrySource, { kind, payer, amount, reservationId }: Transfer): void {
  if (amount !== 0n) ledger.insertEntry.run(kind, payer, REVENUE, amount, facts.requestId, reservationId, ending.endedAt, day);
}

/** Adds to the sums by model and key. If the request names a user, also adds to the sums by user. */
export function addToRollUps({ usage }: SettlementStatements, part: RollUpPart): void {
  usage.addToDay.run(part);
  if (part.facts.attribution !== null) usage.addToUserDay.run(part);
}
