import { type Clock, type Instant, instant, invariant, later } from '@tollgate/core';

interface ScheduledTask {
  readonly dueAt: Instant;
  readonly run: () => void;
}

/** Noon in the middle of a month, so that tests do not cross the end of a day or month by accident. */
export const MANUAL_CLOCK_START = instant(Date.UTC(2026, 10, 18, 12));

/** Stands still until advanced. Tasks run in the order of their times; those with the same time in the order of scheduling. */
export class ManualClock implements Clock {
  #now: Instant;
  readonly #tasks: ScheduledTask[] = [];

  constructor(start: Instant = MANUAL_CLOCK_START) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    const scheduled = { dueAt: later(this.#now, Math.max(0, delayMilliseconds)), run: task };
    this.#tasks.splice(this.#positionAfter(scheduled.dueAt), 0, scheduled);
    return () => {
      const position = this.#tasks.indexOf(scheduled);
      if (position >= 0) this.#tasks.splice(position, 1);
    };
  }

  /** Number of scheduled tasks that have neither run nor been cancelled. */
  get pendingTasks(): number {
    return this.#tasks.length;
  }

  /** Runs all tasks that become due, each at its own time. */
  advance(milliseconds: number): void {
    const until = this.#endOf(milliseconds);
    while (this.#runNextDue(until));
    this.#now = until;
  }

  /** Like `advance`, but waits for the promise jobs of each task before it runs the next. */
  async advanceAsync(milliseconds: number): Promise<void> {
    const until = this.#endOf(milliseconds);
    await settled();
    while (this.#runNextDue(until)) await settled();
    this.#now = until;
  }

  /** Sets the time without running tasks, like a correction of the system clock. */
  set(now: Instant): void {
    this.#now = now;
  }

  #endOf(milliseconds: number): Instant {
    invariant(milliseconds >= 0, 'time only advances');
    return later(this.#now, milliseconds);
  }

  #runNextDue(until: Instant): boolean {
    const next = this.#tasks[0];
    if (next === undefined || next.dueAt > until) return false;
    this.#tasks.shift();
    if (next.dueAt > this.#now) this.#now = next.dueAt;
    next.run();
    return true;
  }

  #positionAfter(dueAt: Instant): number {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const task = this.#tasks[middle];
      if (task !== undefined && task.dueAt <= dueAt) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Resolves after all pending promise jobs, including those that they start. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
