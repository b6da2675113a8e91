import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CopyProgress } from '@tollgate/sql-common';
import { requireDatabase } from '../file/sqlite-connection.js';

/** The program beside this file, compiled or as source. */
const PROGRAM = new URL(`./copy-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const OWNER_ONLY = 0o600;
const LOOK_MILLISECONDS = 500;

/**
 * A consistent copy to a new file, readable by its owner only. A gateway may write meanwhile; its WAL grows until the end. Rejects, leaving
 * a partial file, if the target exists or the disk fails.
 */
export async function copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void> {
  requireDatabase(file);
  // SQLite keeps the mode of an existing empty file.
  closeSync(openSync(target, 'wx', OWNER_ONLY));
  const worker = new Worker(PROGRAM, { workerData: { file, target } });
  const report = (): void => onProgress({ copiedBytes: sizeOf(target), totalBytes: sizeOf(file) });
  const looking = setInterval(report, LOOK_MILLISECONDS);
  try {
    // Rejects with the error that ended the thread.
    await once(worker, 'exit');
  } finally {
    clearInterval(looking);
  }
}

/** 0 for a removed file; the copy then fails with a reason. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
