import type { WalReport } from '@tollgate/sql-common';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { WalCheckpointThread } from './wal-checkpoint-thread.js';

/** Number of operations after which the length of the log is checked. An operation writes a few pages; a check takes microseconds. */
const OPERATIONS_PER_LOOK = 64;
/**
 * About 16 MB: length of the log at which it is checkpointed and restarted. SQLite's own limit is a quarter of this, at which frequently changed
 * pages are copied more often; and under load SQLite never restarts the log.
 */
const DUE_PAGES = 4_000;
/** About 4 MB: growth of the log after which an incomplete or failed checkpoint is repeated. */
const RETRY_PAGES = 1_000;
/** About 64 MB: length of the log at which the main thread checkpoints, because the other thread has failed or a long-running reader blocks it. */
const BACKSTOP_PAGES = 16_384;

type Thread = Pick<WalCheckpointThread, 'checkpoint' | 'close'>;

export interface WalKeeperParts {
  /** Connection that commits. The thread has another one. */
  readonly connection: SqliteConnection;
  readonly report: WalReport;
  /** Suspends commits while the task runs. */
  readonly betweenCommits: (task: () => Promise<void>) => Promise<void>;
  /** Runs the checkpoints. Tests replace it. */
  readonly thread?: Thread;
}

/**
 * Keeps the write-ahead log short without blocking the event loop. Checkpoints, and their syncs, run in another thread. The main thread checkpoints
 * only a very long log.
 */
export class WalKeeper {
  private readonly thread: Thread;
  private readonly length;
  private operations = 0;
  private pages = 0;
  private dueAt = DUE_PAGES;
  private backstopAt = BACKSTOP_PAGES;
  private moving: Promise<void> | null = null;

  constructor(private readonly parts: WalKeeperParts) {
    const { connection, thread = new WalCheckpointThread(connection.name) } = parts;
    this.thread = thread;
    connection.pragma('wal_autocheckpoint = 0');
    this.length = connection.prepare<[], { readonly log: number }>('PRAGMA wal_checkpoint(NOOP)').safeIntegers(false);
  }

  /** Does not throw: failures are reported, and checkpoints are repeated. */
  committed(operations: number): void {
    this.operations += operations;
    if (this.operations < OPERATIONS_PER_LOOK) return;
    this.operations = 0;
    try {
      this.look();
      if (this.pages >= this.backstopAt) this.fallBack();
      else if (this.pages >= this.dueAt && this.moving === null) this.moving = this.move();
    } catch (cause) {
      this.parts.report.walCheckpointFailed(cause);
    }
  }

  /** Waits for a running checkpoint, then ends the thread. The rest of the log is checkpointed when the last connection closes. */
  async close(): Promise<void> {
    await this.moving;
    await this.thread.close();
  }

  private look(): void {
    const pages = this.length.get()?.log ?? 0;
    const hasBegunAnew = pages < this.pages;
    if (hasBegunAnew) [this.dueAt, this.backstopAt] = [DUE_PAGES, BACKSTOP_PAGES];
    this.pages = pages;
    this.parts.report.grown(pages);
  }

  /** Checkpoints the log. The next attempt is only after more growth, so that failures and long-running readers cause no work while idle. */
  private async move(): Promise<void> {
    try {
      const { busy, log, checkpointed } = await this.thread.checkpoint('PASSIVE');
      const isWhole = busy === 0 && checkpointed === log;
      if (isWhole && log >= DUE_PAGES) await this.parts.betweenCommits(() => this.beginAnew(log));
      this.parts.report.walCheckpointed();
    } catch (cause) {
      this.parts.report.walCheckpointFailed(cause);
    } finally {
      this.dueAt = this.pages + RETRY_PAGES;
      this.moving = null;
    }
  }

  /** Restarts the log. This takes milliseconds, because almost all pages have been copied. Its file keeps its size unless it is very long. */
  private async beginAnew(pages: number): Promise<void> {
    await this.thread.checkpoint(pages < BACKSTOP_PAGES ? 'RESTART' : 'TRUNCATE');
  }

  /** Checkpoints in this thread, without waiting for locks. */
  private fallBack(): void {
    const { connection, report } = this.parts;
    this.backstopAt = this.pages + DUE_PAGES;
    report.fellBack(this.pages);
    connection.pragma('wal_checkpoint(PASSIVE)');
  }
}
