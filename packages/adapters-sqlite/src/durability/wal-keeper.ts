import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WalReport } from '@tollgate/sql-common';
import type { WalCheckpoint, WalCheckpointAnswer, WalCheckpointMode } from './checkpoint-worker.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';

/** The program beside this file, in the form that this file is run in: compiled, or as its source. */
const PROGRAM = new URL(`./checkpoint-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** It holds one connection and does one thing; the runtime's own bounds are for whole programs. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/** Who waits for the checkpoint that is under way. */
interface Waiting {
  resolve(checkpoint: WalCheckpoint): void;
  reject(cause: unknown): void;
}

/** Moves a write-ahead log into its database file from another thread. Started when it is first needed, and again after it has ended. */
export class WalCheckpointThread {
  private worker: Worker | null = null;
  private waiting: Waiting | null = null;

  constructor(private readonly file: string) {}

  /** One at a time. Rejects with what kept it from being done, what ended the thread included. */
  checkpoint(mode: WalCheckpointMode): Promise<WalCheckpoint> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(mode);
    });
  }

  /** Closes the file. No operation may be running. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: { file: this.file }, resourceLimits: RESOURCES });
    // A program that is done does not wait for it.
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

/** Operations that are committed between two looks at the log: each writes a handful of pages, and a look takes microseconds. */
const OPERATIONS_PER_LOOK = 64;
/**
 * About 16 megabytes: a page that many requests write is moved once for all of them, so that moving the log four times as often, as SQLite itself
 * would, costs each request more. Then it is restarted, which under load never happens by itself: another commit always arrives while it is moved.
 */
const DUE_PAGES = 4_000;
/** About four megabytes: a move that failed, or that a reader of an old state kept from being whole, is tried again before the log gets long. */
const RETRY_PAGES = 1_000;
/** About 64 megabytes: the thread is dead, or a reader of an old state has kept it from its work for long. */
const BACKSTOP_PAGES = 16_384;

type Thread = Pick<WalCheckpointThread, 'checkpoint' | 'close'>;

export interface WalKeeperParts {
  /** The one that commits; the thread opens its own. */
  readonly connection: SqliteConnection;
  readonly report: WalReport;
  /** Runs a task in whose time this process commits nothing. */
  readonly betweenCommits: (task: () => Promise<void>) => Promise<void>;
  /** In place of a thread of the file's. */
  readonly thread?: Thread;
}

/**
 * Keeps the write-ahead log of a database file short without the event loop ever waiting for it: moving the log into the file, and the disk's word
 * that it is there, are another thread's. Only a log that grows very long all the same is moved here.
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

  /** Counts committed operations. Never throws: a checkpoint that fails is reported and retried. */
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

  /** Waits for what is under way. What is left is moved when the last connection to the file is closed. */
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

  /** Retried only after the log has grown by as much, so that neither a failing thread nor a long-running reader causes idle work. */
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

  /** Almost all was moved before, so this takes milliseconds. Writing over what is there costs less than letting the file grow again, unless it is huge. */
  private async beginAnew(pages: number): Promise<void> {
    await this.thread.checkpoint(pages < BACKSTOP_PAGES ? 'RESTART' : 'TRUNCATE');
  }

  /** Without any lock that is waited for: what cannot be moved now stays for later. */
  private fallBack(): void {
    const { connection, report } = this.parts;
    this.backstopAt = this.pages + DUE_PAGES;
    report.fellBack(this.pages);
    connection.pragma('wal_checkpoint(PASSIVE)');
  }
}
