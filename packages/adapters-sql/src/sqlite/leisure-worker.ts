import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** One query of a script. */
export interface LeisureQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What came of it. */
export type LeisureAnswer = { readonly rows: readonly unknown[] } | { readonly failure: unknown };

// A program of its own, run by a thread that does nothing else: it reads one state of a database file, query by query.
const connection = new Database((workerData as { readonly file: string }).file, { readonly: true, fileMustExist: true }).defaultSafeIntegers(true);
connection.exec('BEGIN');

function answerTo({ sql, parameters }: LeisureQuery): LeisureAnswer {
  try {
    return { rows: connection.prepare(sql).all(...parameters) };
  } catch (failure) {
    return { failure };
  }
}

parentPort?.on('message', (query: LeisureQuery) => parentPort?.postMessage(answerTo(query)));
