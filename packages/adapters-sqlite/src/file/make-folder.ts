import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from './sqlite-failures.js';

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
