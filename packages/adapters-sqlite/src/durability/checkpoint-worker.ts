import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * `PASSIVE` copies as many pages as it can without blocking; once it has copied all, the next commit restarts the log. `RESTART` makes the log
 * restart, and `TRUNCATE` also empties its file; both block commits.
 */
export type WalCheckpointMode = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/** `log` is the number of pages in the log, and `checkpointed` how many of them were copied: fewer while a reader uses an old snapshot. */
export interface WalCheckpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

export type WalCheckpointAnswer = { readonly checkpoint: WalCheckpoint } | { readonly failure: unknown };

/** Short, because commits are blocked while a checkpoint waits for locks and readers. */
const TIMEOUT_MILLISECONDS = 10;

// Entry file of a worker thread, which copies the write-ahead log into the database file and blocks on the disk.
const connection = new Database((workerData as { readonly file: string }).file, { fileMustExist: true, timeout: TIMEOUT_MILLISECONDS });
connection.pragma('synchronous = FULL');

function answerTo(mode: WalCheckpointMode): WalCheckpointAnswer {
  try {
    const [checkpoint] = connection.pragma(`wal_checkpoint(${mode})`) as readonly [WalCheckpoint];
    return { checkpoint };
  } catch (failure) {
    return { failure };
  }
}

parentPort?.on('message', (message: WalCheckpointMode | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(answerTo(message));
  connection.close();
  return parentPort?.close();
});
