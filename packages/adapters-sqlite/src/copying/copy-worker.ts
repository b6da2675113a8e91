import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const WAIT_MILLISECONDS = 5_000;

// A program of its own, run by a thread that does nothing else: the statement takes as long as the disk needs.
const { file, target } = workerData as { readonly file: string; readonly target: string };
const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: WAIT_MILLISECONDS });
try {
  connection.prepare('VACUUM INTO ?').run(target);
} finally {
  connection.close();
}
