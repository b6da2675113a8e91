import { type AccountId, availableOf, type CatalogueSource, type Clock, type Instant, type Ledger } from '@tollgate/core';

/** Time for which a balance counts as known. It decides about the room for bodies only, never about money. */
const KNOWN_MILLISECONDS = 10_000;
/** Maximum number of known balances; the least recently read ones are dropped. */
export const MAX_KNOWN = 10_000;
/** Maximum number of concurrent reads. */
export const MAX_READ_AT_ONCE = 8;
export const MAX_WAITING = 4_096;

interface AccountFundsPorts {
  readonly ledger: Pick<Ledger, 'balanceOf'>;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

interface Answer {
  readonly isFunded: boolean;
  readonly readAt: Instant;
}

/** Knows whether accounts can pay for a request. Reads balances on demand, and caches each answer for ten seconds. */
export class AccountFunds {
  readonly #known = new Map<AccountId, Answer>();
  /** Accounts that wait for a read, in order. */
  readonly #waiting = new Map<AccountId, (isFunded: boolean) => void>();
  readonly #reading = new Set<AccountId>();

  constructor(private readonly ports: AccountFundsPorts) {}

  /** `null` if the balance was not read in the last ten seconds. */
  known(id: AccountId): boolean | null {
    const answer = this.#known.get(id);
    return answer === undefined || this.ports.clock.now() - answer.readAt >= KNOWN_MILLISECONDS ? null : answer.isFunded;
  }

  /** Reads the balance. Does not call `answered` if the read fails, if another call already waits for the account, or if too many accounts wait. */
  ask(id: AccountId, answered: (isFunded: boolean) => void): void {
    if (this.#waiting.has(id) || this.#reading.has(id) || this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(id, answered);
    this.#readNext();
  }

  #readNext(): void {
    for (const [id, answered] of this.#waiting) {
      if (this.#reading.size >= MAX_READ_AT_ONCE) return;
      this.#waiting.delete(id);
      this.#reading.add(id);
      void this.#read(id, answered);
    }
  }

  async #read(id: AccountId, answered: (isFunded: boolean) => void): Promise<void> {
    const isFunded = await this.#isFunded(id).catch(() => null);
    this.#reading.delete(id);
    if (isFunded !== null) {
      this.#remember(id, isFunded);
      answered(isFunded);
    }
    this.#readNext();
  }

  async #isFunded(id: AccountId): Promise<boolean> {
    const balance = await this.ports.ledger.balanceOf(id);
    const least = this.ports.catalogue.current().minimumReservation;
    return balance !== null && !availableOf(balance).isLessThan(least);
  }

  #remember(id: AccountId, isFunded: boolean): void {
    this.#known.delete(id);
    this.#known.set(id, { isFunded, readAt: this.ports.clock.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}
