import { type Instant, MILLISECONDS_PER_SECOND, type PlanLimits, type QuotaSnapshot, type TokenCount, invariant } from '@tollgate/core';
import { CalendarUse } from './calendar-use.js';
import { type MinuteWindow, endOf, isOpen } from './minute-window.js';

/** What one account uses of its limits right now. */
export class AccountUse {
  readonly calendar = new CalendarUse();
  #window: MinuteWindow | null = null;
  #slots = 0;
  #tokensInFlight = 0;

  get slots(): number {
    return this.#slots;
  }

  /** Estimates of running requests; a day's or month's cap counts them until the real figures are known. */
  get tokensInFlight(): number {
    return this.#tokensInFlight;
  }

  openWindow(now: Instant): MinuteWindow | null {
    return this.#window !== null && isOpen(this.#window, now) ? this.#window : null;
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

  takeSlot(tokens: number): void {
    this.#slots += 1;
    this.#tokensInFlight += tokens;
  }

  freeSlot(tokens: number): void {
    this.#slots -= 1;
    this.#tokensInFlight -= tokens;
    invariant(this.#slots >= 0, 'a ticket frees its slot once');
  }
}

/** What the headers say about an account; `null` for one that nothing is known of. */
export function quotaOf(use: AccountUse | null, limits: PlanLimits, now: Instant): QuotaSnapshot {
  const window = use?.openWindow(now) ?? null;
  return {
    requestsLimit: limits.requestsPerMinute,
    requestsRemaining: Math.max(0, limits.requestsPerMinute - (window?.requests ?? 0)),
    tokensLimit: limits.tokensPerMinute,
    tokensRemaining: Math.max(0, limits.tokensPerMinute - (window?.tokens ?? 0)) as TokenCount,
    requestsResetSeconds: window === null ? 0 : Math.ceil((endOf(window) - now) / MILLISECONDS_PER_SECOND),
  };
}
