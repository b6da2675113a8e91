import { type AccountId, type BookedMoneyAct, type Instant, lowersBalance, type MoneyAct, type MoneyActPage, type MoneyActQuery, refundedRequestOf, type RequestId, ServiceTokens } from '@tollgate/core';

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
