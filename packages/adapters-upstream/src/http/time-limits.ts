import type { Clock, Instant } from '@tollgate/core';

/** A deadline that is never extended. */
export interface Deadline {
  readonly milliseconds: number;
  readonly expired: () => void;
}

/**
 * Timeouts of one call: of its current phase, and of the whole call, whose own timer clock changes do not affect. Extending a phase does not restart
 * its timer; when the timer fires, it is set again for the remaining time.
 */
export class TimeLimits {
  #limitMilliseconds = 0;
  #startedAt: Instant;
  #expired: (() => void) | null = null;
  /** Duration that the phase's timer was set to; `null` if none is running. */
  #setTo: number | null = null;
  #cancel: (() => void) | null = null;
  readonly #cancelDeadline: () => void;

  constructor(private readonly clock: Clock, deadline: Deadline) {
    this.#startedAt = clock.now();
    this.#cancelDeadline = clock.schedule(deadline.milliseconds, () => {
      this.stop();
      deadline.expired();
    });
  }

  /** Replaces the phase's limit, starting now. */
  start(limitMilliseconds: number, expired: () => void): void {
    this.#limitMilliseconds = limitMilliseconds;
    this.#expired = expired;
    this.#startedAt = this.clock.now();
    if (this.#setTo !== null && this.#setTo <= limitMilliseconds) return;
    this.#cancel?.();
    this.#set(limitMilliseconds);
  }

  stop(): void {
    this.#cancelDeadline();
    this.#cancel?.();
    this.#setTo = null;
  }

  #set(milliseconds: number): void {
    this.#setTo = milliseconds;
    this.#cancel = this.clock.schedule(milliseconds, () => this.#ring());
  }

  #ring(): void {
    this.#setTo = null;
    const left = this.#startedAt + this.#limitMilliseconds - this.clock.now();
    if (left <= 0) this.#expired?.();
    else this.#set(left);
  }
}
