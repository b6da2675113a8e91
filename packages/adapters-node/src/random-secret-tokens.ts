import { createHash, randomBytes } from 'node:crypto';
import type { TokenHash } from '@tollgate/core';
import type { SecretToken, SecretTokens } from '@tollgate/identity';

const TOKEN_BYTES = 32;

/** Tokens of 256 bits from the system's random source, stored as SHA-256. With so many random bits, a slow hash would not be safer. */
export class RandomSecretTokens implements SecretTokens {
  issue(): SecretToken {
    const text = randomBytes(TOKEN_BYTES).toString('base64url');
    return { text, hash: this.hash(text) };
  }

  hash(text: string): TokenHash {
    return createHash('sha256').update(text).digest('hex') as TokenHash;
  }
}
