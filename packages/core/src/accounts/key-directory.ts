import type { ApiKey } from '../keys/api-key.js';
import type { KeyHash } from '../primitives/hashes.js';
import type { Account } from './account.js';

export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
}

/** Finds keys for authentication; called for every request. */
export interface KeyDirectory {
  findByHash(hash: KeyHash): Promise<KeyHolder | null>;
}
