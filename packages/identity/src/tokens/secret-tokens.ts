import type { TokenHash } from '@tollgate/core';

/** In plaintext, and hashed for the store. */
export interface SecretToken {
  /** 32 bytes in base64url: 43 characters. */
  readonly text: string;
  readonly hash: TokenHash;
}

/** For links and cookies. */
export interface SecretTokens {
  issue(): SecretToken;
  hash(text: string): TokenHash;
}
