import { Sha256Hasher, RandomIds } from '@tollgate/adapters-node';
import Database from 'better-sqlite3';
import type { GrownKey } from './growth.js';

const ids = new RandomIds();
const hasher = new Sha256Hasher();

/** Gives keys of a database that no process has open new secrets, where they lie; returns the secrets in clear. Throws when one is not there. */
export function claimKeys(file: string, keys: readonly GrownKey[]): readonly string[] {
  const database = new Database(file);
  try {
    const claim = database.prepare('UPDATE api_keys SET hash = ? WHERE id = ? AND account_id = ?');
    return database.transaction(() => keys.map(({ keyId, accountId }) => {
      const secret = ids.apiKeySecret();
      if (claim.run(hasher.hash(secret), keyId, accountId).changes !== 1) throw new Error(`There is no ${keyId} of ${accountId} in ${file}. Was it filled with another --growth?`);
      return secret.reveal();
    }))();
  } finally {
    database.close();
  }
}
