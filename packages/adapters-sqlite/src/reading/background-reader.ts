import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BackgroundAnswer, BackgroundQuery, EndOfState } from './background-worker.js';

/** The entry file of the worker, in this folder. Its extension is that of this file, which is compiled code or source. */
const PROGRAM = new URL(`./background-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Queries a snapshot of a database file. */
export interface SnapshotReader {
  /** Must not be called during another query. Throws the error of the query or of the reader. */
  rows(query: BackgroundQuery): Promise<readonly unknown[]>;
  /** Ends the snapshot, so that SQLite can drop the pages that only the snapshot needs. The next query reads a new one. */
  endState(): Promise<void>;
  close(): Promise<void>;
}

export type OpenSnapshotReader = (file: string) => SnapshotReader;

export const openInThread: OpenSnapshotReader = (file) => new BackgroundReader(file);

/** Reads a database file in another thread, so that long queries do not block requests. */
export class BackgroundReader implements SnapshotReader {
  private readonly worker: Worker;
  private ended: Error | null = null;

  constructor(file: string) {
    this.worker = new Worker(PROGRAM, { workerData: { file } });
    // Without a listener, an error that ends the thread between two queries would also end the process.
    this.worker.on('error', (error: Error) => {
      this.ended = error;
    });
  }

  rows(query: BackgroundQuery): Promise<readonly unknown[]> {
    return this.ask(query);
  }

  async endState(): Promise<void> {
    await this.ask('end-of-state');
  }

  private async ask(query: BackgroundQuery | EndOfState): Promise<readonly unknown[]> {
    if (this.ended !== null) throw this.ended;
    const answered = once(this.worker, 'message') as Promise<[BackgroundAnswer]>;
    this.worker.postMessage(query);
    const [answer] = await answered;
    if ('failure' in answer) throw answer.code === null ? answer.failure : Object.assign(Object(answer.failure) as object, { code: answer.code });
    return answer.rows;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
