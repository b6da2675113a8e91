import { invariant, StoreUnavailable } from '@tollgate/core';
import type { CommitLog } from './write-ahead-log.js';
import { NO_FILE, type WatchedFile } from '../file/database-file.js';
import { BUSY_ATTEMPTS, busyPause, busyTooLong, isBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { storeFailure } from '../file/sqlite-failures.js';

export interface Acknowledgement {
  /** Called when the commit is synced to the disk. */
  complete(): void;
  /** Called if the sync failed, so that a power failure may lose the commit. */
  fail(reason: unknown): void;
}

/** Interval of retries while operations are refused because a sync failed. */
const RETRY_MILLISECONDS = 100;

/** Delays acknowledgements until their commits are on disk. All commits during a sync share the next one. */
class DiskQueue {
  private waiting: Acknowledgement[] = [];
  private isWriting = false;
  private readonly whenIdle: (() => void)[] = [];
  private retry: NodeJS.Timeout | null = null;

  constructor(private readonly log: CommitLog) {}

  /** Throws if the last sync failed. Schedules a retry, because a refused operation starts no sync. */
  assertTaken(): void {
    const { failure } = this.log;
    if (failure === null) return;
    this.retry ??= setTimeout(() => this.askAgain(), RETRY_MILLISECONDS).unref();
    throw new StoreUnavailable(failure, 'the write-ahead log cannot be written to the disk');
  }

  /** Adds a committed operation, to be acknowledged after the next sync. */
  add(ending: Acknowledgement): void {
    this.waiting.push(ending);
  }

  /** Starts a sync. If one is running, the next starts after it. */
  write(): void {
    if (this.isWriting || this.waiting.length === 0) return;
    this.isWriting = true;
    const written = this.waiting;
    this.waiting = [];
    this.log.flush().then(
      () => this.written(() => written.forEach((ending) => ending.complete())),
      (reason: unknown) => this.written(() => written.forEach((ending) => ending.fail(reason))),
    );
  }

  /** Resolves when no acknowledgement is waiting. */
  idle(): Promise<void> {
    if (!this.isWriting && this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenIdle.push(resolve));
  }

  /** Cancels the scheduled retry. Call before the log is closed. */
  stopAsking(): void {
    if (this.retry !== null) clearTimeout(this.retry);
  }

  private askAgain(): void {
    this.retry = null;
    this.add({ complete: () => undefined, fail: () => undefined });
    this.write();
  }

  private written(tell: () => void): void {
    this.isWriting = false;
    tell();
    this.write();
    if (!this.isWriting) this.whenIdle.splice(0).forEach((resolve) => resolve());
  }
}

type Answer = () => void;

interface Operation {
  /** When the promise of the operation resolves. */
  readonly told: 'committed' | 'on-disk';
  perform(): Answer;
  readonly reject: (reason: unknown) => void;
}

export interface CommitPorts {
  /** While this file is missing or replaced, operations are refused. */
  readonly file?: WatchedFile;
  /** Called after each commit with its number of operations. */
  readonly onCommitted?: (operations: number) => void;
}

/** Maximum operations per commit, which bounds the time that a commit blocks the event loop. */
export const MAX_GROUP = 256;

/**
 * Commits operations of one event loop turn together. If there are several, it also includes those of the next turn, which is cheaper under load.
 * Operations read what earlier ones wrote. If one fails, only that one is rolled back. Syncing to the disk does not block the event loop.
 */
export class GroupCommit {
  private readonly waiting: Operation[] = [];
  private readonly whenIdle: (() => void)[] = [];
  private busyAttempts = 0;
  private isScheduled = false;
  private isPaused = false;
  private isClosed = false;
  private readonly disk: DiskQueue;
  private readonly together: (group: readonly Operation[]) => readonly Answer[];
  private readonly apart: (group: readonly Operation[]) => readonly Answer[];

  private readonly file: WatchedFile;
  private readonly onCommitted: (operations: number) => void;

  constructor(private readonly connection: SqliteConnection, log: CommitLog, { file = NO_FILE, onCommitted = () => undefined }: CommitPorts = {}) {
    this.file = file;
    this.onCommitted = onCommitted;
    this.disk = new DiskQueue(log);
    const alone = connection.transaction((operation: Operation) => operation.perform());
    const inOne = connection.transaction((group: readonly Operation[]) => group.map((operation) => operation.perform()));
    const eachInASavepoint = connection.transaction((group: readonly Operation[]) => (
      group.map((operation) => this.isolated(operation, alone))));
    this.together = (group) => inOne.immediate(group);
    this.apart = (group) => eachInASavepoint.immediate(group);
  }

  /** Resolves when the commit is synced. `task` may run more than once before the commit, so it must have no effect outside the database. */
  run<T>(task: () => T): Promise<T> {
    return this.add('on-disk', task);
  }

  /**
   * Resolves when committed. A later `run` syncs this commit too; a power failure before the next sync loses it. Rejects with `StoreUnavailable`,
   * without effect, while the disk fails.
   */
  runAhead<T>(task: () => T): Promise<T> {
    return this.add('committed', task);
  }

  /** Throws if the database file was replaced or removed. */
  assertUsable(): void {
    this.file.assertInPlace();
  }

  /** Resolves when everything is synced or has failed. Later operations reject. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.disk.stopAsking();
    if (this.waiting.length > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
    await this.disk.idle();
  }

  private add<T>(told: Operation['told'], task: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      invariant(!this.isClosed, 'the database is open while it is used');
      if (told === 'committed') this.disk.assertTaken();
      this.file.assertInPlace();
      const perform = (): Answer => {
        const result = task();
        return () => resolve(result);
      };
      this.waiting.push({ told, perform, reject: (reason) => reject(storeFailure(reason)) });
      this.scheduleFlush();
    });
  }

  /** Suspends commits while the task runs. Operations wait meanwhile. Only one task may run at a time. */
  async pausedFor(task: () => Promise<void>): Promise<void> {
    this.isPaused = true;
    try {
      await task();
    } finally {
      this.isPaused = false;
      this.scheduleFlush();
    }
  }

  private scheduleFlush(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => this.flushOrWait());
  }

  /** If several operations are waiting, includes those of the next turn, which takes microseconds. Commits a single operation at once. */
  private flushOrWait(): void {
    const waitsOneTurn = this.waiting.length > 1 && this.waiting.length < MAX_GROUP;
    if (waitsOneTurn) setImmediate(() => this.flush());
    else this.flush();
  }

  private flush(): void {
    this.isScheduled = false;
    if (this.isPaused) return;
    const group = this.waiting.slice(0, MAX_GROUP);
    const answers = this.commit(group);
    if (answers === 'busy') return;
    this.busyAttempts = 0;
    this.waiting.splice(0, group.length);
    group.forEach((operation, place) => this.tell(operation, answers[place]));
    this.disk.write();
    if (this.waiting.length === 0) this.whenIdle.splice(0).forEach((resolve) => resolve());
    this.scheduleFlush();
    this.onCommitted(group.length);
  }

  private tell({ told, reject }: Operation, answer: Answer | undefined): void {
    invariant(answer !== undefined, 'every operation of a group has an answer');
    if (told === 'committed') answer();
    else this.disk.add({ complete: answer, fail: (reason) => reject(new StoreUnavailable(reason)) });
  }

  private commit(group: readonly Operation[]): readonly Answer[] | 'busy' {
    try {
      return this.transact(group);
    } catch (thrown) {
      const reason = isBusy(thrown) ? busyTooLong(thrown) : thrown;
      if (isBusy(thrown) && this.busyAttempts < BUSY_ATTEMPTS) return this.tryAgainLater();
      return group.map((operation) => () => operation.reject(reason));
    }
  }

  private transact(group: readonly Operation[]): readonly Answer[] {
    try {
      return this.together(group);
    } catch (thrown) {
      if (isBusy(thrown) || group.length === 1) throw thrown;
      return this.apart(group);
    }
  }

  private isolated(operation: Operation, alone: (operation: Operation) => Answer): Answer {
    try {
      return alone(operation);
    } catch (thrown) {
      // Some failures, such as a full disk, have rolled back the whole transaction.
      if (!this.connection.inTransaction) throw thrown;
      return () => operation.reject(thrown);
    }
  }

  private tryAgainLater(): 'busy' {
    this.isScheduled = true;
    setTimeout(() => this.flush(), busyPause(this.busyAttempts));
    this.busyAttempts += 1;
    return 'busy';
  }
}
