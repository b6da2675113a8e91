import { type Clock, type Instant, instant } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';

/** The system clock with a settable offset; timers run normally. */
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

  /** Running timers keep their delays. */
  set(now: Instant): void {
    this.#offset = now - this.#system.now();
  }
}
