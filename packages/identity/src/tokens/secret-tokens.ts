import type { TokenHash } from '@tollgate/core';

/** A secret for one holder, and what is stored of it. */
export interface SecretToken {
  /** 32 bytes in base64url: 43 characters. */
  readonly text: string;
  readonly hash: TokenHash;
}

/** Secrets that links and cookies carry. */
export interface SecretTokens {
  issue(): SecretToken;
  hash(text: string): TokenHash;
}
