import { chmodSync, closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { errorCodeOf } from './sqlite-failures.js';

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
