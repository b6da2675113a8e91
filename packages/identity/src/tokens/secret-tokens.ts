import type { TokenHash } from '@tollgate/core';

/** A token in plaintext, and hashed for the store. */
export interface SecretToken {
  /** 32 bytes in Base64url: 43 characters. */
  readonly text: string;
  readonly hash: TokenHash;
}

/** Tokens for links and cookies. */
export interface SecretTokens {
  issue(): SecretToken;
  hash(text: string): TokenHash;
}
