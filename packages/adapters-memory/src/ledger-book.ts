import {
  type AccountId, availableOf, type Balance, type BookedMoneyAct, type Instant, invariant, type KeyBudget, type KeySpending, lowersBalance,
  type MoneyAct, type MoneyActPage, type MoneyActQuery, NO_SPENDING, refundedRequestOf, type RequestId, ServiceTokens,
} from '@tollgate/core';

/** Acts of money raise (`credit`) or lower (`debit`) a balance; requests are charged. */
export type LedgerEntryKind = 'credit' | 'debit' | 'charge' | 'late-charge';

/** One transfer, with both sides. Never changed, never removed. */
export interface LedgerEntry {
  readonly number: number;
  readonly kind: LedgerEntryKind;
  /** The customer's side; the other is the gateway's. */
  readonly accountId: AccountId;
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** The reference of an act of money, the reservation of a charge. */
  readonly reference: string;
  readonly at: Instant;
}

const EMPTY: Balance = { posted: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

/** Balances and the entries that led to them. Refuses anything that would make an available balance negative. */
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

  /** Gives a hold up and, if there is a charge, posts it in the same step. */
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
  readonly #byReference = new Map<string, MoneyAct>();

  /** What was booked on the account of an act under its reference. */
  earlier({ accountId, reference }: MoneyAct): MoneyAct | null {
    return this.#byReference.get(JSON.stringify([accountId, reference])) ?? null;
  }

  add(act: MoneyAct): void {
    const { accountId, amount, kind, reference, reason, at } = act;
    this.#byReference.set(JSON.stringify([accountId, reference]), act);
    this.#append({ accountId, kind, amount: lowersBalance(act) ? ServiceTokens.ZERO.minus(amount) : amount, requestId: refundedRequestOf(act), reference, reason, at });
  }

  addForfeiture(accountId: AccountId, { amount, reference, at }: { readonly amount: ServiceTokens; readonly reference: string; readonly at: Instant }): void {
    this.#append({ accountId, kind: 'forfeiture', amount: ServiceTokens.ZERO.minus(amount), requestId: null, reference, reason: null, at });
  }

  /** What was given back of a request so far. */
  refundedOf(requestId: RequestId): ServiceTokens {
    const refunds = this.#entries.filter((entry) => entry.kind === 'refund' && entry.requestId === requestId);
    return refunds.reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO);
  }

  hasAny(accountId: AccountId): boolean {
    return this.#entries.some((entry) => entry.accountId === accountId);
  }

  page(accountId: AccountId, { limit, before }: MoneyActQuery): MoneyActPage {
    const rest = this.#entries.filter((entry) => entry.accountId === accountId && (before === null || entry.number < before)).toReversed();
    const acts = rest.slice(0, limit).map(({ accountId: _account, ...act }) => act);
    return { acts, next: rest.length > limit ? acts.at(-1)?.number ?? null : null };
  }

  #append(entry: Omit<Entry, 'number'>): void {
    this.#entries.push({ ...entry, number: this.#entries.length + 1 });
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
