import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CopyProgress } from '@tollgate/sql-common';
import { requireDatabase } from '../file/sqlite-connection.js';

/** The worker's entry file beside this one, with the same extension: compiled or source. */
const PROGRAM = new URL(`./copy-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const OWNER_ONLY = 0o600;
const LOOK_MILLISECONDS = 500;

/**
 * Copies one consistent snapshot to a new file that only its owner can read. A gateway may write meanwhile; its WAL grows until the copy ends.
 * Rejects if the target exists, or if the disk fails, which leaves a partial file.
 */
export async function copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void> {
  requireDatabase(file);
  // SQLite keeps the mode of an existing empty file.
  closeSync(openSync(target, 'wx', OWNER_ONLY));
  const worker = new Worker(PROGRAM, { workerData: { file, target } });
  const report = (): void => onProgress({ copiedBytes: sizeOf(target), totalBytes: sizeOf(file) });
  const looking = setInterval(report, LOOK_MILLISECONDS);
  try {
    // `once` rejects with the error that ended the thread.
    await once(worker, 'exit');
  } finally {
    clearInterval(looking);
  }
}

/** 0 if the file is missing; the copy itself then fails and says why. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
