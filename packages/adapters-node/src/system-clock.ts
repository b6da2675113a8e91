import { type Clock, type Instant, instant } from '@tollgate/core';

/** The clock and timers of the machine. A scheduled task does not keep the process alive. */
export class SystemClock implements Clock {
  now(): Instant {
    return instant(Date.now());
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMilliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
