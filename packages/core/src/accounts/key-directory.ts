import type { ApiKey } from '../keys/api-key.js';
import type { KeyHash } from '../primitives/primitives.js';
import type { Account } from './account.js';

export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
}

/** Who holds a key: the one look-up every request makes. */
export interface KeyDirectory {
  findByHash(hash: KeyHash): Promise<KeyHolder | null>;
}
