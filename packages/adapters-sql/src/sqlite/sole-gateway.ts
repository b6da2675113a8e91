import { realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseUnavailableError } from '../store/database-unavailable-error.js';
import { isBusy } from './busy.js';
import { lockInode } from './inode-lock.js';
import { makePrivateFile } from './private-files.js';
import { IN_MEMORY } from './sqlite-connection.js';

const SUFFIX = '-gateway';

/** Being the one gateway that uses a database file. */
export interface SoleGateway {
  /** Lets another gateway have the file. */
  release(): Promise<void>;
}

/**
 * A lock that SQLite takes on an empty file beside the database: other machines that share the folder see it too, and the system
 * releases it when its process ends, however it ends.
 */
function lockBeside(file: string): Database.Database {
  const path = `${realpathSync(file)}${SUFFIX}`;
  makePrivateFile(path);
  const connection = new Database(path, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (thrown) {
    connection.close();
    throw isBusy(thrown) ? alreadyUsed(thrown) : thrown;
  }
}

function alreadyUsed(cause: unknown): Error {
  return new Error('another gateway is using it. Stop that one first, or give this one a database of its own', { cause });
}

async function lock(file: string): Promise<SoleGateway> {
  const connection = lockBeside(file);
  try {
    const inode = await lockInode(file);
    if (inode === 'taken') throw alreadyUsed(new Error('its inode is locked under another name'));
    const release = async (): Promise<void> => {
      connection.close();
      await inode.release();
    };
    return { release };
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

/**
 * Makes this the one gateway that uses a database file, by whatever name. Throws `DatabaseUnavailableError` at once when there is
 * one already. The file must exist, and is not opened; other programs may use it at any time.
 */
export async function becomeSoleGateway(file: string): Promise<SoleGateway> {
  if (file === IN_MEMORY) return { release: () => Promise.resolve() };
  try {
    return await lock(file);
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${file}`, thrown);
  }
}
