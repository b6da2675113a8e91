import type { Clock, Instant } from '@tollgate/core';

/** A deadline that is never extended. */
export interface Deadline {
  readonly milliseconds: number;
  readonly expired: () => void;
}

/**
 * Timeouts of one call: of its current phase, and of the whole call. Extending a timeout does not restart the timer; when the timer fires, it is set
 * again for the remaining time.
 */
export class TimeLimits {
  #limitMilliseconds = 0;
  #startedAt: Instant;
  #expired: (() => void) | null = null;
  /** Time of the whole call that remained when the timer was set. Measured by timers, so that clock changes have no effect. */
  #leftMilliseconds: number;
  /** Duration that the timer was set to; `null` if none is running. */
  #setTo: number | null = null;
  #cancel: (() => void) | null = null;

  constructor(private readonly clock: Clock, private readonly deadline: Deadline) {
    this.#startedAt = clock.now();
    this.#leftMilliseconds = deadline.milliseconds;
  }

  /** Replaces the phase's limit, starting now. */
  start(limitMilliseconds: number, expired: () => void): void {
    this.#limitMilliseconds = limitMilliseconds;
    this.#expired = expired;
    this.#startedAt = this.clock.now();
    if (this.#setTo !== null && this.#setTo <= limitMilliseconds) return;
    this.stop();
    this.#set(limitMilliseconds);
  }

  stop(): void {
    this.#cancel?.();
    this.#setTo = null;
  }

  #set(milliseconds: number): void {
    const setTo = Math.min(milliseconds, this.#leftMilliseconds);
    this.#setTo = setTo;
    this.#cancel = this.clock.schedule(setTo, () => this.#ring(setTo));
  }

  #ring(setTo: number): void {
    this.#setTo = null;
    this.#leftMilliseconds -= setTo;
    const left = this.#startedAt + this.#limitMilliseconds - this.clock.now();
    if (this.#leftMilliseconds <= 0) this.deadline.expired();
    else if (left <= 0) this.#expired?.();
    else this.#set(left);
  }
}
