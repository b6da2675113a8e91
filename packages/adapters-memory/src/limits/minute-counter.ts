import { type Instant, invariant, type MinuteUse, NOTHING_COUNTED, type WindowCounts } from '@tollgate/core';
import { type MinuteWindow, isOpen } from './minute-window.js';

/** The open window and the slots of an account, or of one model within it. */
export class MinuteCounter {
  #window: MinuteWindow | null = null;
  #slots = 0;

  get slots(): number {
    return this.#slots;
  }

  openWindow(now: Instant): MinuteWindow | null {
    return this.#window !== null && isOpen(this.#window, now) ? this.#window : null;
  }

  countsAt(now: Instant): WindowCounts {
    return this.openWindow(now) ?? NOTHING_COUNTED;
  }

  useAt(now: Instant): MinuteUse {
    const { requests, tokens } = this.countsAt(now);
    return { requests, tokens, slots: this.#slots };
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
