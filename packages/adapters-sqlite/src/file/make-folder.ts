import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from './sqlite-failures.js';

const FOLDER_OF_OWNER_ONLY = 0o700;

/**
 * Creates a folder and its missing parents, accessible to the owner only. Throws the system's error. Node's recursive option is not used, because it
 * never returns if an existing folder permits no new ones, such as `/proc`.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, FOLDER_OF_OWNER_ONLY);
  } catch (thrown) {
    // Another process may have created the folder meanwhile.
    if (errorCodeOf(thrown) !== 'EEXIST') throw thrown;
  }
}
