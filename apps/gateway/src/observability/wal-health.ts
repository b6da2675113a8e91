import type { WalReport } from '@tollgate/sql-common';
import type { Logger } from 'pino';

/** Logs the beginning and end of failures of background WAL checkpoints. */
export class WalHealth implements WalReport {
  #pages: number | null = null;
  #failures = 0;
  #fallbacks = 0;
  #isFailing = false;

  constructor(private readonly log: Logger) {}

  /** Pages of the write-ahead log at the last checkpoint or commit; `null` before the first. */
  get pages(): number | null {
    return this.#pages;
  }

  /** Number of failed background checkpoints. */
  get failures(): number {
    return this.#failures;
  }

  /** Number of checkpoints by the main thread. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  grown(pages: number): void {
    this.#pages = pages;
  }

  walCheckpointed(): void {
    if (this.#isFailing) this.log.info('background checkpoints of the write-ahead log succeed again');
    this.#isFailing = false;
  }

  walCheckpointFailed(cause: unknown): void {
    this.#failures += 1;
    if (!this.#isFailing) this.log.error({ err: cause }, 'a background checkpoint of the write-ahead log failed; the gateway retries as the log grows');
    this.#isFailing = true;
  }

  fellBack(pages: number): void {
    this.#fallbacks += 1;
    this.log.warn({ pages }, 'the write-ahead log has grown very long; the main thread checkpoints it while requests wait');
  }
}
