import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const WAIT_MILLISECONDS = 5_000;

// Entry file of a worker thread. `VACUUM INTO` runs in a thread of its own because it blocks until the disk has finished.
const { file, target } = workerData as { readonly file: string; readonly target: string };
const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: WAIT_MILLISECONDS });
try {
  connection.prepare('VACUUM INTO ?').run(target);
} finally {
  connection.close();
}
