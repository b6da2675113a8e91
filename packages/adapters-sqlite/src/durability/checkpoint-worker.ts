import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * `PASSIVE` moves what it can while others read and commit; the log restarts at a commit that finds all of it moved.
 * `RESTART` makes sure of that, and `TRUNCATE` gives the file's space back besides; both keep others from committing meanwhile.
 */
export type WalCheckpointMode = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/** Pages in the log, and how many of them are in the database file now; fewer while a reader uses an old snapshot. */
export interface WalCheckpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** What came of it. */
export type WalCheckpointAnswer = { readonly checkpoint: WalCheckpoint } | { readonly failure: unknown };

/** For the locks of other processes, and for readers: waiting for them keeps others from committing. */
const TIMEOUT_MILLISECONDS = 10;

// A program of its own, run by a thread that does nothing else: it moves a write-ahead log into its database file, and waits for the disk.
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
