import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * `PASSIVE` moves what it can without blocking; the log restarts at the first commit after everything was moved. `RESTART` forces the restart, and
 * `TRUNCATE` also frees the space; both block commits.
 */
export type WalCheckpointMode = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/** Pages of the log, and how many of them were moved: fewer while a reader uses an old snapshot. */
export interface WalCheckpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

export type WalCheckpointAnswer = { readonly checkpoint: WalCheckpoint } | { readonly failure: unknown };

/** Short, because a checkpoint that waits for locks and readers blocks commits. */
const TIMEOUT_MILLISECONDS = 10;

// Entry of a worker thread: checkpoints the write-ahead log into the database file, and blocks on the disk.
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
