import { hash } from 'node:crypto';
import type { ApiKeySecret, KeyHash, SecretHasher } from '@tollgate/core';

/** The hash is hexadecimal. Keys have 285 random bits, so a slow hash would not be safer. */
export class Sha256Hasher implements SecretHasher {
  hash(secret: ApiKeySecret): KeyHash {
    return hash('sha256', secret.reveal(), 'hex') as KeyHash;
  }
}
