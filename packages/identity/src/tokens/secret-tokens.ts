import type { TokenHash } from '@tollgate/core';

/** The plain secret, and the hash that is stored. */
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
