import {
  type AccountId, availableOf, type Balance, type BookedAct, type BookedMoneyAct, type Instant, invariant, type KeyBudget, type KeySpending,
  type LedgerDifference, type LedgerVerification, type MoneyAct, NO_SPENDING,
  type RequestId, type Reservation, reversalReferenceOf, ServiceTokens, type Settlement, type StoredAct, type UsageRecord,
} from '@tollgate/core';
import type { UsageJournal } from './memory-usage.js';

/** Money acts raise (`credit`) or lower (`debit`) a balance; requests are charged. */
export type LedgerEntryKind = 'credit' | 'debit' | 'charge' | 'late-charge';

/** One transfer, with both sides. Never changed, never removed. */
export interface LedgerEntry {
  readonly number: number;
  readonly kind: LedgerEntryKind;
  /** The customer's side; the other is the gateway's. */
  readonly accountId: AccountId;
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** Reference of a money act, or reservation of a charge. */
  readonly reference: string;
  readonly at: Instant;
}

const EMPTY: Balance = { posted: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

/** Balances and their entries. Refuses everything that would make an available balance negative. */
export class LedgerBook {
  readonly #entries: LedgerEntry[] = [];
  readonly #balances = new Map<AccountId, Balance>();

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  get balances(): ReadonlyMap<AccountId, Balance> {
    return this.#balances;
  }

  balanceOf(accountId: AccountId): Balance {
    return this.#balances.get(accountId) ?? EMPTY;
  }

  hold(accountId: AccountId, amount: ServiceTokens): void {
    const { posted, reserved } = this.balanceOf(accountId);
    this.#set(accountId, { posted, reserved: reserved.plus(amount) });
  }

  /** Releases a hold and posts the charge, if any, in the same step. */
  release(accountId: AccountId, amount: ServiceTokens, charge: Omit<LedgerEntry, 'number' | 'accountId'> | null): void {
    const { posted, reserved } = this.balanceOf(accountId);
    this.#set(accountId, { posted: charge === null ? posted : posted.minus(charge.amount), reserved: reserved.minus(amount) });
    if (charge !== null) this.#append({ ...charge, accountId });
  }

  credit(entry: Omit<LedgerEntry, 'number' | 'kind'>): void {
    const { posted, reserved } = this.balanceOf(entry.accountId);
    this.#set(entry.accountId, { posted: posted.plus(entry.amount), reserved });
    this.#append({ ...entry, kind: 'credit' });
  }

  debit(entry: Omit<LedgerEntry, 'number' | 'kind'>): void {
    const { posted, reserved } = this.balanceOf(entry.accountId);
    this.#set(entry.accountId, { posted: posted.minus(entry.amount), reserved });
    this.#append({ ...entry, kind: 'debit' });
  }

  #append(entry: Omit<LedgerEntry, 'number'>): void {
    this.#entries.push({ ...entry, number: this.#entries.length + 1 });
  }

  #set(accountId: AccountId, balance: Balance): void {
    invariant(!balance.reserved.isNegative() && !availableOf(balance).isNegative(), 'no balance is ever negative');
    this.#balances.set(accountId, balance);
  }
}

interface Entry extends BookedMoneyAct {
  readonly accountId: AccountId;
}

/** Acts of money in the order in which they were booked. */
export class MoneyActs {
  readonly #entries: Entry[] = [];
  readonly #byReference = new Map<string, StoredAct>();

  /** The act booked earlier under this reference. */
  earlier({ accountId, reference }: MoneyAct): StoredAct | null {
    return this.#byReference.get(JSON.stringify([accountId, reference])) ?? null;
  }

  add({ accountId, kind, amount, requestId, reference, at }: BookedAct, reason: string | null): void {
    this.#byReference.set(JSON.stringify([accountId, reference]), { kind, amount, requestId });
    this.#entries.push({ number: this.#entries.length + 1, accountId, kind, amount, requestId, reference, reason, at });
  }

  /** What was given back of a request so far. */
  refundedOf(requestId: RequestId): ServiceTokens {
    const refunds = this.#entries.filter((entry) => entry.kind === 'refund' && entry.requestId === requestId);
    return refunds.reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO);
  }

  /** What of it was given back by a reversal. */
  reversedOf(requestId: RequestId): ServiceTokens {
    const reference = reversalReferenceOf(requestId);
    const reversals = this.#entries.filter((entry) => entry.kind === 'refund' && entry.requestId === requestId && entry.reference === reference);
    return reversals.reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO);
  }

}

/** What counts against the limits of keys, by lineage and period. */
export class MemoryKeySpending {
  readonly #spending = new Map<string, KeySpending>();

  get all(): ReadonlyMap<string, KeySpending> {
    return this.#spending;
  }

  /** What a lineage and a period are kept under. */
  static nameOf({ lineage, period }: KeyBudget): string {
    return `${lineage} ${period}`;
  }

  of(budget: KeyBudget): KeySpending {
    return this.#spending.get(MemoryKeySpending.nameOf(budget)) ?? NO_SPENDING;
  }

  hold(budget: KeyBudget | null, amount: ServiceTokens): void {
    if (budget === null) return;
    const { spent, reserved } = this.of(budget);
    this.#spending.set(MemoryKeySpending.nameOf(budget), { spent, reserved: reserved.plus(amount) });
  }

  /** Gives up what was held and counts what was charged. */
  spend(budget: KeyBudget | null, charged: ServiceTokens, freed: ServiceTokens): void {
    if (budget === null) return;
    const { spent, reserved } = this.of(budget);
    const left = reserved.minus(freed);
    invariant(!left.isNegative(), 'no more is given up than was held');
    this.#spending.set(MemoryKeySpending.nameOf(budget), { spent: spent.plus(charged), reserved: left });
  }
}

export interface EndedReservation {
  readonly reservation: Reservation;
  readonly record: UsageRecord;
  readonly settlement: Settlement;
  /** Its owner has settled it after the sweeper had. */
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

/** A key's spending must equal the amounts held by its reservations plus its charges, less reversals. */
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
