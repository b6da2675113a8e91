import type { KeyHash } from '../ids.js';
import type { ApiKeySecret } from '../keys/api-key-secret.js';

export interface SecretHasher {
  hash(secret: ApiKeySecret): KeyHash;
}
