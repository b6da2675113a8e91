import { createHash, randomBytes } from 'node:crypto';
import type { SecretToken, SecretTokens, TokenHash } from '@tollgate/core';

const TOKEN_BYTES = 32;

/** Tokens from the system's random source, stored as their SHA-256: with 256 random bits nothing slower is needed. */
export class RandomSecretTokens implements SecretTokens {
  issue(): SecretToken {
    const text = randomBytes(TOKEN_BYTES).toString('base64url');
    return { text, hash: this.hash(text) };
  }

  hash(text: string): TokenHash {
    return createHash('sha256').update(text).digest('hex') as TokenHash;
  }
}
