import { createHash, createHmac, hash, randomBytes } from 'node:crypto';
import type { AddressHashes, ApiKeySecret, KeyHash, SecretHasher, SecretToken, SecretTokens, TokenHash } from '@tollgate/core';
import type { DerivedKeys } from './installation-secret.js';

/** SHA-256 in hexadecimal. A key carries 285 random bits, so a slow hash would add nothing. */
export class Sha256Hasher implements SecretHasher {
  hash(secret: ApiKeySecret): KeyHash {
    return hash('sha256', secret.reveal(), 'hex') as KeyHash;
  }
}

const TOKEN_BYTES = 32;

/** Tokens from the system's random source, stored as their SHA-256; with 256 random bits a slow hash would add nothing. */
export class RandomSecretTokens implements SecretTokens {
  issue(): SecretToken {
    const text = randomBytes(TOKEN_BYTES).toString('base64url');
    return { text, hash: this.hash(text) };
  }

  hash(text: string): TokenHash {
    return createHash('sha256').update(text).digest('hex') as TokenHash;
  }
}

/** HMAC-SHA256 of e-mail addresses, under the keys derived for sign-up credits. */
export class HmacAddressHashes implements AddressHashes {
  constructor(private readonly keys: DerivedKeys) {}

  of(email: string): readonly string[] {
    return [this.keys.current, this.keys.previous].flatMap((key) => (key === null ? [] : createHmac('sha256', key).update(email).digest('hex')));
  }
}
