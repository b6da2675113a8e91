import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BackgroundAnswer, BackgroundQuery, EndOfState } from './background-worker.js';

/** The program beside this file, in the form that this file is run in: compiled, or as its source. */
const PROGRAM = new URL(`./background-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Looks at one state of a database file from another thread, so that queries of minutes hold up no request of this process. */
export class BackgroundReader {
  private readonly worker: Worker;
  private ended: Error | null = null;

  constructor(file: string) {
    this.worker = new Worker(PROGRAM, { workerData: { file } });
    // Without a listener, what ends the thread between two queries would end the process.
    this.worker.on('error', (error: Error) => {
      this.ended = error;
    });
  }

  /** One query at a time. Throws what the query throws, and what ends the thread. */
  rows(query: BackgroundQuery): Promise<readonly unknown[]> {
    return this.ask(query);
  }

  /** The next query sees the file as it is then. Until this is called, SQLite keeps what the queries before have seen. */
  async endState(): Promise<void> {
    await this.ask('end-of-state');
  }

  private async ask(query: BackgroundQuery | EndOfState): Promise<readonly unknown[]> {
    if (this.ended !== null) throw this.ended;
    const answered = once(this.worker, 'message') as Promise<[BackgroundAnswer]>;
    this.worker.postMessage(query);
    const [answer] = await answered;
    if ('failure' in answer) throw answer.failure;
    return answer.rows;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
