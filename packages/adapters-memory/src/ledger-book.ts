import { type AccountId, availableOf, type Balance, type Instant, invariant, ServiceTokens } from '@tollgate/core';

/** Acts of money raise (`credit`) or lower (`debit`) a balance; requests are charged. */
export type LedgerEntryKind = 'credit' | 'debit' | 'charge' | 'late-charge';

/** One transfer between a customer's account and the gateway's. Entries are neither changed nor removed. */
export interface LedgerEntry {
  readonly number: number;
  readonly kind: LedgerEntryKind;
  readonly accountId: AccountId;
  readonly amount: ServiceTokens;
  /** Reference of an act of money, or id of the charged reservation. */
  readonly reference: string;
  readonly at: Instant;
}

const EMPTY: Balance = { posted: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

/** Balances and their entries. Throws if a reserved or available amount would become negative. */
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

  /** Lowers the reserved amount, and books the charge, if any, in the same step. */
  release(accountId: AccountId, amount: ServiceTokens, charge: Omit<LedgerEntry, 'number' | 'accountId'> | null): void {
    const { posted, reserved } = this.balanceOf(accountId);
    this.#set(accountId, { posted: charge === null ? posted : posted.minus(charge.amount), reserved: reserved.minus(amount) });
    if (charge !== null) this.#append({ ...charge, accountId });
  }

  /** Books an act of money; a negative amount lowers the balance. */
  enter({ amount, ...entry }: Omit<LedgerEntry, 'number' | 'kind'>): void {
    const { posted, reserved } = this.balanceOf(entry.accountId);
    this.#set(entry.accountId, { posted: posted.plus(amount), reserved });
    this.#append(amount.isNegative() ? { ...entry, kind: 'debit', amount: ServiceTokens.ZERO.minus(amount) } : { ...entry, kind: 'credit', amount });
  }

  #append(entry: Omit<LedgerEntry, 'number'>): void {
    this.#entries.push({ ...entry, number: this.#entries.length + 1 });
  }

  #set(accountId: AccountId, balance: Balance): void {
    invariant(!balance.reserved.isNegative() && !availableOf(balance).isNegative(), 'no balance is ever negative');
    this.#balances.set(accountId, balance);
  }
}
