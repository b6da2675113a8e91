import { type Instant, invariant, isWindowOpen, type MinuteCounts, NOTHING_COUNTED, type WindowCounts } from '@tollgate/core';

/** What an account asked for in one window. Tickets keep it, so that what they give back goes where it was taken. */
export interface MinuteWindow {
  readonly startedAt: Instant;
  requests: number;
  tokens: number;
}

/** The open window and the slots of an account, or of one model within it. */
export class MinuteCounter {
  #window: MinuteWindow | null = null;
  #slots = 0;

  get slots(): number {
    return this.#slots;
  }

  get counts(): MinuteCounts {
    return { window: this.#window ?? NOTHING_COUNTED, slots: this.#slots };
  }

  openWindow(now: Instant): MinuteWindow | null {
    return this.#window !== null && isWindowOpen(this.#window, now) ? this.#window : null;
  }

  countsAt(now: Instant): WindowCounts {
    return this.openWindow(now) ?? NOTHING_COUNTED;
  }

  /** Counts a request, in a window that begins with it if none is open. */
  count(tokens: number, now: Instant): MinuteWindow {
    const window = this.openWindow(now) ?? { startedAt: now, requests: 0, tokens: 0 };
    window.requests += 1;
    window.tokens += tokens;
    this.#window = window;
    return window;
  }

  /** Takes a request out of its window; a window that was opened for nothing else never was. */
  uncount(window: MinuteWindow, tokens: number): void {
    window.requests -= 1;
    window.tokens -= tokens;
    if (window.requests === 0 && this.#window === window) this.#window = null;
  }

  takeSlot(): void {
    this.#slots += 1;
  }

  freeSlot(): void {
    this.#slots -= 1;
    invariant(this.#slots >= 0, 'a ticket frees its slot once');
  }
}
