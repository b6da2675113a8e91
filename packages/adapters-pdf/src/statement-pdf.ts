import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Clock, GatewayError, MILLISECONDS_PER_MINUTE, type NamedStatement } from '@tollgate/core';
import type { PrintedDocument } from './printed-document.js';
import { statementPages } from './statement-pages.js';

/** The program beside this file, compiled or as source. */
const PROGRAM = new URL(`./pdf-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Enough memory for the longest statement, which has some 7,000 rows. */
const RESOURCES = { maxOldGenerationSizeMb: 512 };
/** Maximum number of statements that wait, including the one that is being rendered. */
export const MAX_WAITING_PDFS = 20;
/** The longest statement takes 11 seconds on an idle core. */
export const RENDERING_TIMEOUT_MILLISECONDS = 2 * MILLISECONDS_PER_MINUTE;
const RETRY_AFTER_SECONDS = 5;

function busy(message: string): GatewayError {
  return new GatewayError('server_busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Renders statements in a thread of their own, one at a time, so that requests do not wait. */
export class StatementPdf {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `tokensWord` is the plural of what service tokens are called; default: the product's own word. */
  constructor(private readonly clock: Clock, private readonly tokensWord?: string) {}

  /** Rejects with `server_busy` if too many are waiting, or at the timeout, which ends the thread. */
  async print(statement: NamedStatement): Promise<Uint8Array> {
    if (this.#waiting >= MAX_WAITING_PDFS) throw busy('Too many statements are being rendered. Please try again.');
    this.#waiting += 1;
    const printed = this.#last.then(() => renderInThread(statementPages(statement, this.tokensWord), this.clock));
    this.#last = printed.catch(() => undefined);
    try {
      return await printed;
    } finally {
      this.#waiting -= 1;
    }
  }
}

async function renderInThread(pages: PrintedDocument, clock: Clock): Promise<Uint8Array> {
  const worker = new Worker(PROGRAM, { workerData: pages, resourceLimits: RESOURCES });
  let cancel: () => void = () => undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      cancel = clock.schedule(RENDERING_TIMEOUT_MILLISECONDS, () => reject(busy('The statement took too long to render. Please try again.')));
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the rendering thread ended with code ${code}`)));
    });
  } finally {
    cancel();
    await worker.terminate();
  }
}
