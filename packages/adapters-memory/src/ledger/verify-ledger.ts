import {
  type AccountId, type LedgerDifference, type LedgerVerification, type Reservation, ServiceTokens, type Settlement, availableOf,
} from '@tollgate/core';
import type { UsageJournal } from '../usage/usage-journal.js';
import type { LedgerBook } from './ledger-book.js';

export interface EndedReservation {
  readonly reservation: Reservation;
  readonly settlement: Settlement;
  /** Its owner has settled it after the sweeper had. */
  readonly endedLate: boolean;
}

export interface LedgerState {
  readonly book: LedgerBook;
  readonly held: readonly Reservation[];
  readonly ended: readonly EndedReservation[];
  readonly usage: UsageJournal;
}

/** Recomputes reserved amounts, balances and charges from reservations, entries and usage records. */
export function verifyLedger(state: LedgerState): LedgerVerification {
  const { book, ended, usage } = state;
  return {
    accounts: book.balances.size,
    entries: book.entries.length,
    usageRecords: usage.size,
    differences: [...negativeBalances(book), ...wrongReserved(state), ...wrongPosted(book), ...wrongRecords(ended, usage), ...wrongCharges(book, usage)],
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
  const charges = sumBy(book.entries.filter(({ kind }) => kind !== 'credit'), ({ accountId, amount }) => [accountId, amount]);
  const recorded = sumBy(usage.all(), ({ accountId, charge }) => [accountId, charge.amount]);
  return [...book.balances.keys()].flatMap((accountId) => difference('I7', accountId, [charges.get(accountId), recorded.get(accountId)]));
}

type Sides = readonly [expected: ServiceTokens | undefined, found: ServiceTokens | undefined];

function difference(invariant: string, accountId: AccountId, [expected = ServiceTokens.ZERO, found = ServiceTokens.ZERO]: Sides): readonly LedgerDifference[] {
  return expected.equals(found) ? [] : [{ invariant, accountId, expected: expected.toString(), found: found.toString() }];
}

function sumBy<Item>(items: Iterable<Item>, partOf: (item: Item) => readonly [AccountId, ServiceTokens]): ReadonlyMap<AccountId, ServiceTokens> {
  const sums = new Map<AccountId, ServiceTokens>();
  for (const item of items) {
    const [accountId, amount] = partOf(item);
    sums.set(accountId, (sums.get(accountId) ?? ServiceTokens.ZERO).plus(amount));
  }
  return sums;
}
