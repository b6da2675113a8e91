import type { Clock, Instant } from '@tollgate/core';

/** A time that nothing extends. */
export interface Deadline {
  readonly milliseconds: number;
  readonly expired: () => void;
}

/**
 * The time limits of one call: one of its current phase, and the deadline of the whole.
 * A longer limit costs one look at the clock: the one timer keeps running, and is set again for the rest.
 */
export class TimeLimits {
  #limitMilliseconds = 0;
  #startedAt: Instant;
  #expired: () => void = () => undefined;
  /** Until the deadline, when the timer was set. Counted by timers, which a change of the clock does not move. */
  #leftMilliseconds: number;
  /** What the timer was set to; `null` when none runs. */
  #setTo: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(private readonly clock: Clock, private readonly deadline: Deadline) {
    this.#startedAt = clock.now();
    this.#leftMilliseconds = deadline.milliseconds;
  }

  /** Replaces the limit of the phase by one that starts now. */
  start(limitMilliseconds: number, expired: () => void): void {
    this.#limitMilliseconds = limitMilliseconds;
    this.#expired = expired;
    this.#startedAt = this.clock.now();
    if (this.#setTo !== null && this.#setTo <= limitMilliseconds) return;
    this.stop();
    this.#set(limitMilliseconds);
  }

  stop(): void {
    this.#cancel();
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
    else if (left <= 0) this.#expired();
    else this.#set(left);
  }
}
