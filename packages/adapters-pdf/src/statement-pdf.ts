import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { GatewayError, type NamedStatement } from '@tollgate/core';
import { statementPages } from './statement-pages.js';

/** The program beside this file, compiled or as source. */
const PROGRAM = new URL(`./pdf-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** The longest statement has some 7,000 rows. */
const RESOURCES = { maxOldGenerationSizeMb: 512 };
/** Others wait for the one that is being rendered. */
export const MAX_WAITING_PDFS = 20;
const RETRY_AFTER_SECONDS = 5;

/** Renders statements in a thread of their own, one at a time, so that requests do not wait. */
export class StatementPdf {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Rejects with `server_busy` if too many are waiting. */
  async print(statement: NamedStatement): Promise<Uint8Array> {
    if (this.#waiting >= MAX_WAITING_PDFS) {
      throw new GatewayError('server_busy', 'Too many statements are being rendered. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#waiting += 1;
    const printed = this.#last.then(() => renderInThread(statement));
    this.#last = printed.catch(() => undefined);
    try {
      return await printed;
    } finally {
      this.#waiting -= 1;
    }
  }
}

async function renderInThread(statement: NamedStatement): Promise<Uint8Array> {
  const worker = new Worker(PROGRAM, { workerData: statementPages(statement), resourceLimits: RESOURCES });
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the rendering thread ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
