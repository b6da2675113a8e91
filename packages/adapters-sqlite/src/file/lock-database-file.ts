import { realpathSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { DatabaseUnavailableError, IN_MEMORY } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { errorCodeOf } from './sqlite-failures.js';
import { isBusy } from './retry-while-busy.js';
import { makePrivateFile } from './private-files.js';

/** A lock that the system releases when the process ends. */
export interface InodeLock {
  release(): Promise<void>;
}

/**
 * Locks a file by device and inode, under any of its names. A hard link has its own log and locks, so two gateways with different names of one file
 * would corrupt it. On Linux, the lock is a socket in the abstract namespace: it creates no file, requires no rights, and ends with the process. On
 * other systems there is no such lock.
 */
async function lockInode(file: string): Promise<InodeLock | 'taken'> {
  if (process.platform !== 'linux') return { release: () => Promise.resolve() };
  const { dev, ino } = statSync(file, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  return await listens(server, `\0tollgate-gateway-${dev}-${ino}`) ? { release: () => closed(server) } : 'taken';
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (failure) => (errorCodeOf(failure) === 'EADDRINUSE' ? resolve(false) : reject(failure)));
    server.listen({ path }, () => {
      server.unref();
      resolve(true);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

const SUFFIX = '-gateway';

export interface DatabaseFileLock {
  release(): Promise<void>;
}

/**
 * Takes SQLite's lock on an empty file beside the database. Other machines that share the folder see it. The system releases it when the process
 * ends.
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

async function lock(file: string): Promise<DatabaseFileLock> {
  const connection = lockBeside(file);
  try {
    const inode = await lockInode(file);
    if (inode === 'taken') throw alreadyUsed(new Error('the same file is locked under another name'));
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
 * Makes this process the only gateway of a database file, under any of its names; names that are hard links are recognised only on Linux, by gateways
 * of one machine. Throws `DatabaseUnavailableError` at once if another gateway uses the file or the lock cannot be taken. The file must exist; it is
 * not opened, and other programs may use it.
 */
export async function lockDatabaseFile(file: string): Promise<DatabaseFileLock> {
  if (file === IN_MEMORY) return { release: () => Promise.resolve() };
  try {
    return await lock(file);
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${file}`, thrown);
  }
}
