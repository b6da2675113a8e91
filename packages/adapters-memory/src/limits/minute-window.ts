import { type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';

/** What an account asked for in one window. Tickets keep it, so that what they give back goes where it was taken. */
export interface MinuteWindow {
  readonly startedAt: Instant;
  requests: number;
  tokens: number;
}

/** A system clock that was set back must not keep a window open for longer than it lasts. */
export function isOpen(window: MinuteWindow, now: Instant): boolean {
  return Math.abs(now - window.startedAt) < MILLISECONDS_PER_MINUTE;
}
