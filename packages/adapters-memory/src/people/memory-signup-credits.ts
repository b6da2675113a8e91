import { type AccountId, type Instant, type SignupCredit, signupCreditAct } from '@tollgate/core';
import type { MemoryLedger } from '../ledger/memory-ledger.js';

/** Books the credit of new accounts, once for each address. */
export class MemorySignupCredits {
  readonly #credited = new Set<string>();

  constructor(private readonly ledger: MemoryLedger) {}

  book(accountId: AccountId, credit: SignupCredit, at: Instant): void {
    const isKnown = credit.addressHashes.some((hash) => this.#credited.has(hash));
    for (const hash of credit.addressHashes) this.#credited.add(hash);
    if (!isKnown) this.ledger.bookAtOnce(signupCreditAct(accountId, credit, at));
  }
}
