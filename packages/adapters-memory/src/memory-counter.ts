import { type Clock, type Instant, later, type SharedCount, type SharedCounter } from '@tollgate/core';

/** Maximum number of names with a count. If there are more, the oldest window is dropped. */
export const MAX_NAMES = 100_000;

interface Window {
  total: number;
  readonly endsAt: Instant;
}

/** Counts within this process only. */
export class MemoryCounter implements SharedCounter {
  /** Ordered by the start of the windows. */
  readonly #windows = new Map<string, Window>();

  constructor(private readonly clock: Clock, private readonly mostNames = MAX_NAMES) {}

  /** Number of names with a window. */
  get size(): number {
    return this.#windows.size;
  }

  add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount> {
    const now = this.clock.now();
    if (units < 0 && this.#running(name) === null) return Promise.resolve({ total: 0, endsInMilliseconds: 0 });
    const window = this.#windowOf(name, later(now, windowMilliseconds));
    window.total = Math.max(0, window.total + units);
    return Promise.resolve({ total: window.total, endsInMilliseconds: window.endsAt - now });
  }

  #running(name: string): Window | null {
    const known = this.#windows.get(name);
    return known !== undefined && known.endsAt > this.clock.now() ? known : null;
  }

  #windowOf(name: string, endsAt: Instant): Window {
    const known = this.#running(name);
    if (known !== null) return known;
    const begun = { total: 0, endsAt };
    this.#windows.delete(name);
    this.#windows.set(name, begun);
    this.#forgetOldest();
    return begun;
  }

  /** Drops expired windows, and the oldest ones if there are too many. */
  #forgetOldest(): void {
    const now = this.clock.now();
    for (const [name, { endsAt }] of this.#windows) {
      if (this.#windows.size <= this.mostNames && endsAt > now) return;
      this.#windows.delete(name);
    }
  }
}
