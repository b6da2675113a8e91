import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from './sqlite-failures.js';

const FOLDER_OF_OWNER_ONLY = 0o700;

/**
 * Creates a folder and its parents, for the owner only. Throws the system's error. Node's recursive option never returns if an existing folder
 * permits no new ones, as `/proc` does not.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, FOLDER_OF_OWNER_ONLY);
  } catch (thrown) {
    // Another process may have created it meanwhile.
    if (errorCodeOf(thrown) !== 'EEXIST') throw thrown;
  }
}
