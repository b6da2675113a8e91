import {
  type AccountId, availableOf, type KeyBudget, type LedgerDifference, type LedgerVerification, type Reservation, ServiceTokens, type Settlement,
  type UsageRecord,
} from '@tollgate/core';
import type { LedgerBook } from './ledger-book.js';
import { MemoryKeySpending } from './memory-key-spending.js';
import type { MoneyActs } from './money-acts.js';
import type { UsageJournal } from './usage-journal.js';

export interface EndedReservation {
  readonly reservation: Reservation;
  readonly record: UsageRecord;
  readonly settlement: Settlement;
  /** True if the owner settled the reservation after the sweeper had ended it. */
  readonly endedLate: boolean;
}

export interface LedgerState {
  readonly book: LedgerBook;
  readonly held: readonly Reservation[];
  readonly ended: readonly EndedReservation[];
  readonly usage: UsageJournal;
  readonly spending: MemoryKeySpending;
  readonly acts: MoneyActs;
}

/** Recomputes reserved amounts, balances and charges from reservations, entries and usage records. */
export function verifyLedger(state: LedgerState): LedgerVerification {
  const { book, ended, usage } = state;
  return {
    accounts: book.balances.size,
    entries: book.entries.length,
    usageRecords: usage.size,
    differences: [...negativeBalances(book), ...wrongReserved(state), ...wrongPosted(book), ...wrongRecords(ended, usage), ...wrongCharges(book, usage), ...wrongKeySpending(state)],
  };
}

function negativeBalances(book: LedgerBook): readonly LedgerDifference[] {
  return [...book.balances].filter(([, balance]) => availableOf(balance).isNegative() || balance.reserved.isNegative())
    .map(([accountId, balance]) => ({ invariant: 'I1', accountId, expected: 'nothing below 0', found: availableOf(balance).toString() }));
}

function wrongReserved({ book, held }: LedgerState): readonly LedgerDifference[] {
  const sums = sumBy(held, ({ accountId, amount }) => [accountId, amount]);
  return [...book.balances].flatMap(([accountId, { reserved }]) => difference('I2', accountId, [sums.get(accountId), reserved]));
}

function wrongPosted(book: LedgerBook): readonly LedgerDifference[] {
  const sums = sumBy(book.entries, ({ accountId, kind, amount }) => [accountId, kind === 'credit' ? amount : ServiceTokens.ZERO.minus(amount)]);
  return [...book.balances].flatMap(([accountId, { posted }]) => difference('I3', accountId, [sums.get(accountId), posted]));
}

function wrongRecords(ended: readonly EndedReservation[], usage: UsageJournal): readonly LedgerDifference[] {
  return ended.flatMap(({ reservation: { accountId, facts }, settlement }) =>
    difference('I5', accountId, [settlement.charge.amount, usage.find(accountId, facts.requestId)?.charge.amount]));
}

function wrongCharges(book: LedgerBook, usage: UsageJournal): readonly LedgerDifference[] {
  const charges = sumBy(book.entries.filter(({ kind }) => kind === 'charge' || kind === 'late-charge'), ({ accountId, amount }) => [accountId, amount]);
  const recorded = sumBy(usage.all(), ({ accountId, charge }) => [accountId, charge.amount]);
  return [...book.balances.keys()].flatMap((accountId) => difference('I7', accountId, [charges.get(accountId), recorded.get(accountId)]));
}

/** For each key and period, the reserved amount must equal the held reservations, and the spent amount the charges less reversals. */
function wrongKeySpending({ held, ended, spending, acts }: LedgerState): readonly LedgerDifference[] {
  const reserved = sumBy(held, ({ budget, amount }) => [budgetName(budget), amount]);
  const spent = sumBy(ended, ({ reservation: { budget, facts }, settlement }) => [budgetName(budget), settlement.charge.amount.minus(acts.reversedOf(facts.requestId))]);
  return [...spending.all].flatMap(([name, found]) => [
    ...difference('I10', null, [reserved.get(name), found.reserved]), ...difference('I10', null, [spent.get(name), found.spent]),
  ]);
}

function budgetName(budget: KeyBudget | null): string {
  return budget === null ? '' : MemoryKeySpending.nameOf(budget);
}

type Sides = readonly [expected: ServiceTokens | undefined, found: ServiceTokens | undefined];

function difference(name: string, accountId: AccountId | null, [expected = ServiceTokens.ZERO, found = ServiceTokens.ZERO]: Sides): readonly LedgerDifference[] {
  return expected.equals(found) ? [] : [{ invariant: name, accountId, expected: expected.toString(), found: found.toString() }];
}

function sumBy<Item, Name extends string>(items: Iterable<Item>, partOf: (item: Item) => readonly [Name, ServiceTokens]): ReadonlyMap<Name, ServiceTokens> {
  const sums = new Map<Name, ServiceTokens>();
  for (const item of items) {
    const [name, amount] = partOf(item);
    sums.set(name, (sums.get(name) ?? ServiceTokens.ZERO).plus(amount));
  }
  return sums;
}
