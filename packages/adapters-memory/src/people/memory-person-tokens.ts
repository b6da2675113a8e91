import type { Instant, PersonId, StoredToken, TokenHash, TokenPurpose } from '@tollgate/core';

/** Single-use tokens in memory. */
export class MemoryPersonTokens {
  readonly #tokens = new Map<TokenHash, StoredToken>();

  /** In the place of the person's earlier one for the same purpose. */
  put(token: StoredToken): void {
    this.remove(token.personId, token.purpose);
    this.#tokens.set(token.hash, token);
  }

  live(hash: TokenHash, purpose: TokenPurpose, at: Instant): StoredToken | null {
    const token = this.#tokens.get(hash);
    return token === undefined || token.purpose !== purpose || token.expiresAt <= at ? null : token;
  }

  take(hash: TokenHash): void {
    this.#tokens.delete(hash);
  }

  /** `null` for every purpose. */
  remove(id: PersonId, purpose: TokenPurpose | null): void {
    for (const token of this.#tokens.values()) {
      if (token.personId === id && (purpose === null || token.purpose === purpose)) this.#tokens.delete(token.hash);
    }
  }
}
