import { type Clock, type Instant, instant } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';

/** The system clock with an offset that a test can set; timers are those of the system. */
export class SteppedClock implements Clock {
  readonly #system = new SystemClock();
  #offset: number;

  constructor(start: Instant) {
    this.#offset = start - this.#system.now();
  }

  now(): Instant {
    return instant(this.#system.now() + this.#offset);
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    return this.#system.schedule(delayMilliseconds, task);
  }

  /** Sets the time; running timers keep their delays. */
  set(now: Instant): void {
    this.#offset = now - this.#system.now();
  }
}
