import type { Clock, Instant } from '@tollgate/core';

/** The machine's clock, which a test can set to another time or stop. Timers run in real time. */
export class MovableClock implements Clock {
  #offset = 0;
  #stopped: Instant | null = null;

  now(): Instant {
    return this.#stopped ?? (Date.now() + this.#offset) as Instant;
  }

  /** From here on it is this time, and time passes. */
  set(time: Instant): void {
    this.#stopped = null;
    this.#offset = time - Date.now();
  }

  /** So many milliseconds later. */
  advance(milliseconds: number): void {
    this.set((this.now() + milliseconds) as Instant);
  }

  /** It stays this time, as it has to for pictures that are compared. */
  stopAt(time: Instant): void {
    this.#stopped = time;
  }

  schedule(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
