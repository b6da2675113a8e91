import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CopyProgress } from '@tollgate/sql-common';
import { requireDatabase } from '../file/sqlite-connection.js';

/** The entry file of the worker, in this folder. Its extension is that of this file, which is compiled code or source. */
const PROGRAM = new URL(`./copy-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const OWNER_ONLY = 0o600;
const LOOK_MILLISECONDS = 500;

/**
 * Copies one consistent snapshot to a new file that only its owner can read. A gateway may write meanwhile; its write-ahead log grows until the copy
 * ends. Rejects if the target exists. Also rejects if the disk fails, and then leaves an incomplete file.
 */
export async function copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void> {
  requireDatabase(file);
  // The file is created first, because SQLite keeps the mode of an existing empty file.
  closeSync(openSync(target, 'wx', OWNER_ONLY));
  const worker = new Worker(PROGRAM, { workerData: { file, target } });
  const report = (): void => onProgress({ copiedBytes: sizeOf(target), totalBytes: sizeOf(file) });
  const looking = setInterval(report, LOOK_MILLISECONDS);
  try {
    // `once` rejects if an error ends the thread.
    await once(worker, 'exit');
  } finally {
    clearInterval(looking);
  }
}

/** Returns 0 if the file is missing. The copy then fails with the reason. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
