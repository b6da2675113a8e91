import type { ApiKey } from '../keys/api-key.js';
import type { KeyHash } from '../primitives/primitives.js';
import type { Account } from './account.js';

export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
}

/** Looks up the owner of a key, once per request. */
export interface KeyDirectory {
  findByHash(hash: KeyHash): Promise<KeyHolder | null>;
}
