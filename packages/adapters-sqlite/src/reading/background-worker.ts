import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface BackgroundQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type EndOfState = 'end-of-state';

/** Messages contain no code of an error, so it is sent beside. */
export type BackgroundAnswer = { readonly rows: readonly unknown[] } | { readonly failure: unknown; readonly code: string | null };

// Entry file of a worker thread, which reads a database file. All queries until `end-of-state` see one snapshot.
const connection = new Database((workerData as { readonly file: string }).file, { readonly: true, fileMustExist: true }).defaultSafeIntegers(true);

function endState(): BackgroundAnswer {
  if (connection.inTransaction) connection.exec('COMMIT');
  return { rows: [] };
}

function answerTo(query: BackgroundQuery | EndOfState): BackgroundAnswer {
  if (query === 'end-of-state') return endState();
  const { sql, parameters } = query;
  try {
    if (!connection.inTransaction) connection.exec('BEGIN');
    return { rows: connection.prepare(sql).all(...parameters) };
  } catch (failure) {
    return { failure, code: failure instanceof Database.SqliteError ? failure.code : null };
  }
}

parentPort?.on('message', (query: BackgroundQuery | EndOfState) => parentPort?.postMessage(answerTo(query)));
