import {
  type AccountId, type BookedAct, type BookedMoneyAct, type Instant, type MoneyAct, type RequestId, reversalReferenceOf, ServiceTokens, type StoredAct,
} from '@tollgate/core';

interface Entry extends BookedMoneyAct {
  readonly accountId: AccountId;
}

export interface ActTerms {
  readonly reason: string | null;
  /** Date at which a credit expires; `null` if it never does. */
  readonly expiresAt: Instant | null;
}

/** Acts of money, in the order of their booking. */
export class MoneyActs {
  readonly #entries: Entry[] = [];
  readonly #byReference = new Map<string, StoredAct>();

  earlier({ accountId, reference }: MoneyAct): StoredAct | null {
    return this.#byReference.get(JSON.stringify([accountId, reference])) ?? null;
  }

  add({ accountId, kind, amount, requestId, reference, at }: BookedAct, { reason, expiresAt }: ActTerms): void {
    this.#byReference.set(JSON.stringify([accountId, reference]), { kind, amount, requestId, expiresAt });
    this.#entries.push({ number: this.#entries.length + 1, accountId, kind, amount, requestId, reference, reason, at });
  }

  /** Amount refunded for a request so far. */
  refundedOf(requestId: RequestId): ServiceTokens {
    const refunds = this.#entries.filter((entry) => entry.kind === 'refund' && entry.requestId === requestId);
    return refunds.reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO);
  }

  /** Amount of the request's reversal, which is part of the refunded amount. */
  reversedOf(requestId: RequestId): ServiceTokens {
    const reference = reversalReferenceOf(requestId);
    const reversals = this.#entries.filter((entry) => entry.kind === 'refund' && entry.requestId === requestId && entry.reference === reference);
    return reversals.reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO);
  }
}
