import { type AccountId, availableOf, type Balance, type Instant, invariant, ServiceTokens } from '@tollgate/core';

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
