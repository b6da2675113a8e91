import type { Clock, Instant } from '@tollgate/core';

/**
 * Barks when nothing was heard for a time. Hearing something costs one look at the clock:
 * the timer is left to run and sets itself anew for what is left.
 */
export class Watchdog {
  #limitMilliseconds = 0;
  #heardAt: Instant;
  #cancel: (() => void) | null = null;
  #bark: () => void = () => undefined;

  constructor(private readonly clock: Clock) {
    this.#heardAt = clock.now();
  }

  /** Starts over with another limit. */
  watch(limitMilliseconds: number, bark: () => void): void {
    this.stop();
    this.#limitMilliseconds = limitMilliseconds;
    this.#bark = bark;
    this.heard();
    this.#arm(limitMilliseconds);
  }

  heard(): void {
    this.#heardAt = this.clock.now();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #arm(milliseconds: number): void {
    this.#cancel = this.clock.schedule(milliseconds, () => {
      const left = this.#heardAt + this.#limitMilliseconds - this.clock.now();
      if (left > 0) this.#arm(left);
      else this.#bark();
    });
  }
}
