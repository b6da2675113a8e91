import type { CommitLog } from './write-ahead-log.js';

/** How an operation that is committed comes to its end. */
export interface Ending {
  /** It is on the disk. */
  complete(): void;
  /** It may be lost with the power. */
  fail(reason: unknown): void;
}

/** Holds back the ends of operations until the disk has what was committed. While it writes, what comes then gathers for the next time. */
export class DiskQueue {
  private waiting: Ending[] = [];
  private isWriting = false;
  private readonly whenIdle: (() => void)[] = [];

  constructor(private readonly log: CommitLog) {}

  /** The operation is committed. */
  add(ending: Ending): void {
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

  private written(tell: () => void): void {
    this.isWriting = false;
    tell();
    this.write();
    if (!this.isWriting) this.whenIdle.splice(0).forEach((resolve) => resolve());
  }
}
