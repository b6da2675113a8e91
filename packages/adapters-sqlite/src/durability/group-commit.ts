import { invariant, StoreUnavailable } from '@tollgate/core';
import type { CommitLog } from './write-ahead-log.js';
import { NO_FILE, type WatchedFile } from '../file/database-file.js';
import { BUSY_ATTEMPTS, busyPause, busyTooLong, isBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { storeFailure } from '../file/sqlite-failures.js';

/** How an operation that is committed comes to its end. */
export interface Acknowledgement {
  /** It is on the disk. */
  complete(): void;
  /** It may be lost with the power. */
  fail(reason: unknown): void;
}

/** How soon the disk is asked again where operations are refused because it failed. */
const RETRY_MILLISECONDS = 100;

/** Holds back the ends of operations until the disk has what was committed. While it writes, what comes then gathers for the next time. */
class DiskQueue {
  private waiting: Acknowledgement[] = [];
  private isWriting = false;
  private readonly whenIdle: (() => void)[] = [];
  private retry: NodeJS.Timeout | null = null;

  constructor(private readonly log: CommitLog) {}

  /** Throws while the disk does not take the log, and has it asked again soon, since nothing else may be on its way. */
  assertTaken(): void {
    const { failure } = this.log;
    if (failure === null) return;
    this.retry ??= setTimeout(() => this.askAgain(), RETRY_MILLISECONDS).unref();
    throw new StoreUnavailable(failure, 'the write-ahead log cannot be written to the disk');
  }

  /** The operation is committed. */
  add(ending: Acknowledgement): void {
    this.waiting.push(ending);
  }

  /** Begins to write, unless it is writing already; what was added by then follows at once. */
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

  /** Resolves when nothing waits any more. */
  idle(): Promise<void> {
    if (!this.isWriting && this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenIdle.push(resolve));
  }

  /** To be called before the log is closed. */
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

/** Tells one caller how its operation went; called after the commit. */
type Answer = () => void;

interface Operation {
  /** When its caller is told: once others see it, or once it is on the disk too. */
  readonly told: 'committed' | 'on-disk';
  perform(): Answer;
  readonly reject: (reason: unknown) => void;
}

export interface CommitPorts {
  /** Nothing is committed to a file that is not in its place. */
  readonly file?: WatchedFile;
  /** Told how many operations each commit held. */
  readonly onCommitted?: (operations: number) => void;
}

/** Bounds how long one transaction keeps the event loop. */
export const MAX_GROUP = 256;

/**
 * Commits the operations of one turn of the event loop together, since a commit costs far more than what is in it; when there are several,
 * those of the next turn as well, which costs each request less under load.
 * An operation sees those before it; one that throws is undone alone; promises resolve only after the commit, and most of them
 * only once it is on the disk, for which the event loop does not wait.
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

  /**
   * Resolves once the result is on the disk. `task` may be run more than once before its result is committed,
   * so it must touch nothing but the database.
   */
  run<T>(task: () => T): Promise<T> {
    return this.add('on-disk', task);
  }

  /**
   * The same, but resolves once all others see the result: it is on the disk no later than that of any later `run`, and may be lost with the power until then.
   * Rejects with `StoreUnavailable`, and does nothing, while the disk does not take the log.
   */
  async runAhead<T>(task: () => T): Promise<T> {
    this.disk.assertTaken();
    return this.add('committed', task);
  }

  /** Throws while nothing may be read or written, because the file of the database is not in its place. */
  assertUsable(): void {
    this.file.assertInPlace();
  }

  /** Resolves once everything that was asked for is on the disk or has failed; nothing may be asked for after it. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.disk.stopAsking();
    if (this.waiting.length > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
    await this.disk.idle();
  }

  private add<T>(told: Operation['told'], task: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      invariant(!this.isClosed, 'the database is open while it is used');
      this.file.assertInPlace();
      const perform = (): Answer => {
        const result = task();
        return () => resolve(result);
      };
      this.waiting.push({ told, perform, reject: (reason) => reject(storeFailure(reason)) });
      this.scheduleFlush();
    });
  }

  /** Commits nothing until a task ends; operations added meanwhile wait. One task at a time. */
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

  /** Several wait, once, for those of the next turn, which takes microseconds where nothing else is to be done; one alone does not. */
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
    for (const [place, operation] of group.entries()) this.tell(operation, answers[place]);
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
      // Some failures, such as a full disk, end the whole transaction; then nothing in it has happened.
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
