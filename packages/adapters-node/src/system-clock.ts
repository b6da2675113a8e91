import type { Clock, Instant } from '@tollgate/core';

/** Timers do not keep the process alive. */
export class SystemClock implements Clock {
  now(): Instant {
    return Date.now() as Instant;
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMilliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
