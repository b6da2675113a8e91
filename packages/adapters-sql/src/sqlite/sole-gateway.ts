import { realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseUnavailableError } from '../store/database-unavailable-error.js';
import { isBusy } from './busy.js';
import { IN_MEMORY } from './sqlite-connection.js';

const SUFFIX = '-gateway';

/** Being the one gateway that uses a database file. */
export interface SoleGateway {
  /** Lets another gateway have the file. */
  release(): void;
}

/**
 * The lock is one that SQLite takes on an empty file beside the database: the system itself lets go of it when its process
 * ends, however it ends, so nothing is ever left to be cleaned up or taken for alive.
 */
function lock(file: string): Database.Database {
  const connection = new Database(`${realpathSync(file)}${SUFFIX}`, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (thrown) {
    connection.close();
    throw isBusy(thrown) ? new Error('another gateway is using it. Stop that one first, or give this one a database of its own', { cause: thrown }) : thrown;
  }
}

/**
 * Makes this the one gateway that uses a database file, by whatever path it is named. Throws `DatabaseUnavailableError`
 * at once when there is one already. The file must exist; other programs may use it at any time.
 */
export function becomeSoleGateway(file: string): SoleGateway {
  if (file === IN_MEMORY) return { release: () => undefined };
  try {
    const connection = lock(file);
    return { release: () => connection.close() };
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${file}`, thrown);
  }
}
