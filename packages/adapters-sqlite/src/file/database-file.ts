import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { StoreLost, storeRefusal } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { errorCodeOf, fileOf, type SqliteConnection } from '../sqlite-connection.js';

/** A database file that others may delete or replace while it is open. */
export interface WatchedFile {
  /** Throws `service_unavailable` while another file, or none, is in its place; believes the last check. */
  assertInPlace(): void;
  /** Looks, and throws likewise. */
  check(): Promise<void>;
}

/** Which file a path stands for, whatever its name; `null`: none. */
type Identity = string | null;

export const NO_FILE: WatchedFile = { assertInPlace: () => undefined, check: () => Promise.resolve() };

async function identityOf(path: string): Promise<Identity> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/**
 * The files of an open database. SQLite goes on writing to a file that was deleted or replaced, and all of it is lost when the
 * process ends; and other processes that open the new one share neither its locks nor its log.
 */
class OpenDatabaseFile implements WatchedFile {
  #loss: StoreLost | null = null;

  constructor(private readonly identities: ReadonlyMap<string, Identity>) {}

  assertInPlace(): void {
    if (this.#loss !== null) throw storeRefusal(this.#loss);
  }

  async check(): Promise<void> {
    this.#loss = await this.findLoss();
    this.assertInPlace();
  }

  private async findLoss(): Promise<StoreLost | null> {
    for (const [path, identity] of this.identities) {
      const found = await identityOf(path);
      if (found !== identity) return new StoreLost(`${path} was ${found === null ? 'deleted' : 'replaced'} while it is in use; put it back, or restart the gateway`);
    }
    return null;
  }
}

/** To be called once the database has been written to, so that its log is there. */
export async function watchDatabaseFile(connection: SqliteConnection): Promise<WatchedFile> {
  if (connection.name === IN_MEMORY) return NO_FILE;
  const file = fileOf(connection);
  const paths = [resolve(connection.name), `${file}-wal`, `${file}-shm`];
  return new OpenDatabaseFile(new Map(await Promise.all(paths.map(async (path) => [path, await identityOf(path)] as const))));
}

const FOLDER_OF_OWNER_ONLY = 0o700;

/**
 * Makes a folder that only its owner may use, and those it is in, where they are missing; throws what the system says against it.
 * The runtime's own recursion never ends where a folder cannot be made although the one above it is there, as below `/proc`.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, FOLDER_OF_OWNER_ONLY);
  } catch (thrown) {
    // Another process may have made it in the meantime.
    if (errorCodeOf(thrown) !== 'EEXIST') throw thrown;
  }
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** What the gateway and SQLite keep beside a database file. */
const COMPANIONS = ['', '-wal', '-shm', '-journal', '-gateway', '-outbox'];

/** Missing, or owned by another user, who alone may change it. */
const LEFT_ALONE: ReadonlySet<string> = new Set(['ENOENT', 'EPERM', 'EROFS']);

/** Takes from all but the owner the right to read or write a file. */
function tighten(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
  } catch (thrown) {
    if (!LEFT_ALONE.has(errorCodeOf(thrown) ?? '')) throw thrown;
  }
}

/**
 * Makes a database file that only its owner may read, in a folder likewise, where they are missing, and tightens what is there:
 * replies kept for idempotency are in it. SQLite gives its log the mode of the database. A folder that is there is left as it is,
 * since others may use it.
 */
export function makePrivateDatabase(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', OWNER_ONLY));
  // SQLite names what it keeps beside a linked file after the file itself.
  for (const name of new Set([file, realpathSync(file)])) {
    for (const companion of COMPANIONS) tighten(`${name}${companion}`);
  }
}

/** Makes an empty file that only its owner may read, where it is missing. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}
