import { hash } from 'node:crypto';
import type { ApiKeySecret, KeyHash, SecretHasher } from '@tollgate/core';

/** SHA-256 in hexadecimal. A key carries 285 random bits, so a slow hash would add nothing. */
export class Sha256Hasher implements SecretHasher {
  hash(secret: ApiKeySecret): KeyHash {
    return hash('sha256', secret.reveal(), 'hex') as KeyHash;
  }
}
