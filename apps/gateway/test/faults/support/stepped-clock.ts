import { type Clock, type Instant, instant } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';

/** A machine's clock that can be set: it runs as time does, timers with it, and says whatever time it was set to last. */
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

  /** As an operator or a time server does; timers that run keep their delays. */
  set(now: Instant): void {
    this.#offset = now - this.#system.now();
  }
}
