import type { AnsweredChallenge, Instant, TokenHash } from '@tollgate/core';

/** Challenges that were answered rightly, until they would have expired. */
export class MemoryChallenges {
  readonly #taken = new Map<TokenHash, Instant>();

  /** `true` for the first to take it. */
  take({ hash, expiresAt }: AnsweredChallenge, at: Instant): boolean {
    for (const [taken, end] of this.#taken) {
      if (end <= at) this.#taken.delete(taken);
    }
    if (this.#taken.has(hash)) return false;
    this.#taken.set(hash, expiresAt);
    return true;
  }
}
