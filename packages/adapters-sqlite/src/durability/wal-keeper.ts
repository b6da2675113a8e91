import type { WalReport } from '@tollgate/sql-common';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { WalCheckpointThread } from './wal-checkpoint-thread.js';

/** Operations between two checks of the log's length: each writes a few pages, and a check takes microseconds. */
const OPERATIONS_PER_LOOK = 64;
/**
 * About 16 MB: length at which the log is checkpointed and restarted. SQLite checkpoints at a quarter of it, which costs more because frequently
 * changed pages are copied more often, and never restarts the log under load.
 */
const DUE_PAGES = 4_000;
/** About 4 MB: growth of the log after which a failed or partial checkpoint is repeated. */
const RETRY_PAGES = 1_000;
/** About 64 MB: length at which the main thread checkpoints, because the other one is dead or blocked by a long-running reader. */
const BACKSTOP_PAGES = 16_384;

type Thread = Pick<WalCheckpointThread, 'checkpoint' | 'close'>;

export interface WalKeeperParts {
  /** Connection for commits; the thread has its own. */
  readonly connection: SqliteConnection;
  readonly report: WalReport;
  /** Runs a task while commits are suspended. */
  readonly betweenCommits: (task: () => Promise<void>) => Promise<void>;
  /** For tests. */
  readonly thread?: Thread;
}

/**
 * Keeps the WAL short without blocking the event loop: checkpoints and syncs run in another thread. Only a very long log is checkpointed in the
 * main thread.
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

  /** Never throws: failures are reported and retried. */
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

  /** Waits for a running checkpoint. The rest of the log is checkpointed when the last connection closes. */
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

  /** Moves again only after more growth, so that failures and long-running readers cause no idle work. */
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

  /** Restarts the log, which takes milliseconds because almost everything was moved before. The file keeps its space unless it is huge. */
  private async beginAnew(pages: number): Promise<void> {
    await this.thread.checkpoint(pages < BACKSTOP_PAGES ? 'RESTART' : 'TRUNCATE');
  }

  /** Checkpoints on this thread without waiting for locks. */
  private fallBack(): void {
    const { connection, report } = this.parts;
    this.backstopAt = this.pages + DUE_PAGES;
    report.fellBack(this.pages);
    connection.pragma('wal_checkpoint(PASSIVE)');
  }
}
