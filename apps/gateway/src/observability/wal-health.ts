import type { WalReport } from '@tollgate/adapters-sql';
import type { Logger } from 'pino';

/** How the write-ahead log of the database file fares. Logs when it begins to fail, and when that is over. */
export class WalHealth implements WalReport {
  #pages: number | null = null;
  #failures = 0;
  #fallbacks = 0;
  #isFailing = false;

  constructor(private readonly log: Logger) {}

  /** What the log held when it was last looked at; `null` when there is none. */
  get pages(): number | null {
    return this.#pages;
  }

  /** How often it could not be moved off the request path. */
  get failures(): number {
    return this.#failures;
  }

  /** How often it was moved while requests waited, because it had grown very long. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  grown(pages: number): void {
    this.#pages = pages;
  }

  checkpointed(): void {
    if (this.#isFailing) this.log.info('the write-ahead log is moved off the request path again');
    this.#isFailing = false;
  }

  checkpointFailed(cause: unknown): void {
    this.#failures += 1;
    if (!this.#isFailing) this.log.error({ err: cause }, 'the write-ahead log could not be moved off the request path; it is tried again as it grows');
    this.#isFailing = true;
  }

  fellBack(pages: number): void {
    this.#fallbacks += 1;
    this.log.warn({ pages }, 'the write-ahead log has grown very long, and is moved while requests wait');
  }
}
