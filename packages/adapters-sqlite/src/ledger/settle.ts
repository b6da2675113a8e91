import {
  availableOf, type Balance, chargeOfEnding, clipCharge, type Ending, endStateOf, type Instant, invariant, type KeyBudget, MILLISECONDS_PER_MINUTE, payableOf,
  type RequestFacts, type ReservationId, ServiceTokens, type SettleCommand, type Settlement, type UtcDay, utcDayOf,
} from '@tollgate/core';
import {
  balanceFromRow, type BalanceRow, budgetFromRow, type ChargedParts, decodeFacts, REVENUE, storableUnits, WRITE_OFFS,
} from '@tollgate/sql-common';
import { paidBy } from './purchases.js';
import { type HeldRow, leftOfLimit, type RollUpPart, type SettlementStatements } from './statements.js';

/** Ends a held reservation and charges for it; `null` when it is not held. Runs in one transaction. */
export function settle(statements: SettlementStatements, command: SettleCommand): Settlement | null {
  const { reservationId, ending } = command;
  const held = statements.ledger.held.get(reservationId);
  if (held === undefined) return null;
  const { changes } = statements.ledger.endHeld.run(endStateOf(ending), reservationId);
  invariant(changes === 1, 'the reservation was held in this transaction');
  return chargeEnded(statements, command, held);
}

function chargeEnded(statements: SettlementStatements, { reservationId: id, ending, at = ending.endedAt, atMost = null }: SettleCommand, held: HeldRow): Settlement {
  const [facts, budget, freed] = [decodeFacts(held.facts), budgetFromRow(held), held.amount];
  const before = statements.ledger.balance.get(facts.accountId);
  invariant(before !== undefined, 'a reservation belongs to an account');
  const means = { available: availableOf(balanceFromRow(before)), left: leftOfLimit(statements.keys, budget) };
  const payable = payableOf(means, ServiceTokens.fromUnits(freed));
  const purchase = statements.purchases.find.get(facts.requestId);
  const paid = purchase === undefined ? ServiceTokens.ZERO : paidBy(statements.purchases, purchase.purchase_id);
  const { charge, writeOff, covered } = clipCharge(chargeOfEnding(ending, facts), { payable, paid, atMost }, facts);
  if (!covered.isZero()) statements.purchases.cover.run(storableUnits(covered.toUnits()), facts.requestId);
  const balance = debit(statements, facts.accountId, { before, charge: charge.amount.toUnits(), freed });
  spendOfLimit(statements, budget, { charge: charge.amount.toUnits(), freed });
  const settlement: Settlement = { charge, writeOff, balance };
  book(statements, { id, facts, ending, settlement, settledAt: at });
  return settlement;
}

interface Booking {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly settlement: Settlement;
  readonly settledAt: Instant;
}

function book(statements: SettlementStatements, { id, facts, ending, settlement, settledAt }: Booking): void {
  const day = utcDayOf(ending.endedAt);
  const parts = { charged: settlement.charge.amount, writeOff: settlement.writeOff };
  bookParts(statements, { reservationId: id, facts, at: ending.endedAt, day, kinds: KINDS }, parts);
  statements.usage.insertRecord.run({ id, facts, ending, parts, day, settledAt });
  addToRollUps(statements, { facts, ending, charged: parts.charged, day, times: 1 });
  noteKeyUse(statements, facts);
}

/** A key's time of last use is exact to the minute, so that most requests of a key write nothing. */
const LAST_USE_PRECISION_MILLISECONDS = MILLISECONDS_PER_MINUTE;

function noteKeyUse({ ledger }: SettlementStatements, { keyId, startedAt }: RequestFacts): void {
  if (keyId !== null) ledger.touchKey.run(startedAt, keyId, startedAt - LAST_USE_PRECISION_MILLISECONDS);
}

/** The amounts that a settlement takes from an account, in micro-tokens. */
interface Payment {
  readonly charge: bigint;
  /** No longer set aside. */
  readonly freed: bigint;
}

/** Takes a payment from an account, whose balance was read in this transaction, and returns the balance after it. */
export function debit({ ledger }: SettlementStatements, accountId: string, { before, charge, freed }: Payment & { readonly before: BalanceRow }): Balance {
  const { changes } = ledger.debit.run(charge, freed, accountId);
  invariant(changes === 1, 'the account was found in this transaction');
  return balanceFromRow({ balance: before.balance - charge, reserved: before.reserved - freed });
}

/** Counts a payment against the limit of its key; nothing for a key without one. */
export function spendOfLimit({ keys }: SettlementStatements, budget: KeyBudget | null, { charge, freed }: Payment): void {
  if (budget === null || (charge === 0n && freed === 0n)) return;
  const { changes } = keys.spend.run(charge, freed, budget.lineage, budget.period);
  invariant(changes === 1, 'the row was written when the request reserved');
}

/** The reservation that entries are about, and their kinds. */
interface EntrySource {
  readonly reservationId: ReservationId;
  readonly facts: RequestFacts;
  readonly at: Instant;
  /** The day whose usage the entries belong to: that of the request's end, also for a late charge. */
  readonly day: UtcDay;
  readonly kinds: { readonly charge: 'charge' | 'late-charge'; readonly writeOff: 'write-off' | 'late-write-off' };
}

const KINDS = { charge: 'charge', writeOff: 'write-off' } as const;

/** Books a charge, which the customer pays, and a write-off, which no account owes. */
export function bookParts(statements: SettlementStatements, source: EntrySource, { charged, writeOff }: ChargedParts): void {
  insertEntry(statements, source, { kind: source.kinds.charge, payer: source.facts.accountId, amount: charged.toUnits() });
  insertEntry(statements, source, { kind: source.kinds.writeOff, payer: WRITE_OFFS, amount: storableUnits(writeOff.toUnits()) });
}

interface Transfer {
  readonly kind: string;
  readonly payer: string;
  readonly amount: bigint;
}

/** An amount of zero leaves no entry. */
function insertEntry({ ledger }: SettlementStatements, { reservationId, facts, at, day }: EntrySource, { kind, payer, amount }: Transfer): void {
  if (amount !== 0n) ledger.insertEntry.run(kind, payer, REVENUE, amount, facts.requestId, reservationId, at, day);
}

/** Adds a request to the sums by model and key, and to those by user where it names one; what is left of a day is that of requests which name none. */
export function addToRollUps({ usage }: SettlementStatements, part: RollUpPart): void {
  usage.addToDay.run(part);
  if (part.facts.attribution !== null) usage.addToUserDay.run(part);
}
