import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WalReport } from '@tollgate/sql-common';
import type { WalCheckpoint, WalCheckpointAnswer, WalCheckpointMode } from './checkpoint-worker.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';

/** The program beside this file, compiled or as source. */
const PROGRAM = new URL(`./checkpoint-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Small: one connection and one task. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

interface Waiting {
  resolve(checkpoint: WalCheckpoint): void;
  reject(cause: unknown): void;
}

/** Checkpoints in another thread, which starts on demand and restarts. */
export class WalCheckpointThread {
  private worker: Worker | null = null;
  private waiting: Waiting | null = null;

  constructor(private readonly file: string) {}

  /** One at a time. Rejects with the failure, also of the thread. */
  checkpoint(mode: WalCheckpointMode): Promise<WalCheckpoint> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(mode);
    });
  }

  /** No operation may run. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: { file: this.file }, resourceLimits: RESOURCES });
    // A finished program does not wait for it.
    worker.unref();
    worker.on('message', (answer: WalCheckpointAnswer) => this.answered(answer));
    worker.on('error', (failure: Error) => this.answered({ failure }));
    worker.once('exit', (code) => {
      this.worker = null;
      this.answered({ failure: new Error(`the checkpoint thread of the write-ahead log exited with code ${code}`) });
    });
    return worker;
  }

  private answered(answer: WalCheckpointAnswer): void {
    const { waiting } = this;
    this.waiting = null;
    if ('failure' in answer) waiting?.reject(answer.failure);
    else waiting?.resolve(answer.checkpoint);
  }
}

/** Operations between two checks of the log's length: each writes a few pages, and a check takes microseconds. */
const OPERATIONS_PER_LOOK = 64;
/**
 * About 16 MB. Hot pages are then moved once for many requests; moving four times as often, as SQLite does by default, costs more. The log
 * is then restarted, which under load never happens by itself.
 */
const DUE_PAGES = 4_000;
/** About 4 MB. Growth before a failed or partial checkpoint is repeated. */
const RETRY_PAGES = 1_000;
/** About 64 MB. The thread is dead, or blocked by a long-running reader. */
const BACKSTOP_PAGES = 16_384;

type Thread = Pick<WalCheckpointThread, 'checkpoint' | 'close'>;

export interface WalKeeperParts {
  /** For commits; the thread has its own. */
  readonly connection: SqliteConnection;
  readonly report: WalReport;
  /** Runs a task while commits are suspended. */
  readonly betweenCommits: (task: () => Promise<void>) => Promise<void>;
  /** For tests. */
  readonly thread?: Thread;
}

/** Keeps the WAL short without blocking the event loop: checkpoints and syncs run in another thread. Only a very long log is checkpointed here. */
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

  /** Waits for a running checkpoint. The last connection to close moves the rest. */
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

  /** Repeated only after more growth, so that failures and long-running readers cause no idle work. */
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

  /** Milliseconds, because almost everything was moved before. Reuses the file's space unless it is huge. */
  private async beginAnew(pages: number): Promise<void> {
    await this.thread.checkpoint(pages < BACKSTOP_PAGES ? 'RESTART' : 'TRUNCATE');
  }

  /** Without waiting for locks. */
  private fallBack(): void {
    const { connection, report } = this.parts;
    this.backstopAt = this.pages + DUE_PAGES;
    report.fellBack(this.pages);
    connection.pragma('wal_checkpoint(PASSIVE)');
  }
}
