import { chmodSync, closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { errorCodeOf } from './sqlite-failures.js';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Suffixes of the files that belong to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal', '-gateway', '-outbox'];

/** Errors after which a file keeps its mode: it is missing, belongs to another user, or is on a read-only file system. */
const LEFT_ALONE: ReadonlySet<string> = new Set(['ENOENT', 'EPERM', 'EROFS']);

/** Removes the access of group and others. */
function tighten(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
  } catch (thrown) {
    if (!LEFT_ALONE.has(errorCodeOf(thrown) ?? '')) throw thrown;
  }
}

/**
 * Creates the file and its folder, accessible to the owner only, because the database contains stored replies. Restricts an existing file; SQLite
 * gives its log the same mode. An existing folder is unchanged, because other programs may use it.
 */
export function makePrivateDatabase(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', OWNER_ONLY));
  // SQLite derives the names of its other files from the target of a link.
  for (const name of new Set([file, realpathSync(file)])) {
    for (const companion of COMPANIONS) tighten(`${name}${companion}`);
  }
}

/** Creates the file, if it does not exist, accessible to the owner only. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
}
