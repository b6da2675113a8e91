import { useEffect, useState } from 'react';
import { utcDay } from '../format/day';

/** Events that only a person causes, or a page that comes into sight. */
const SIGNS = ['visibilitychange', 'focus', 'pointermove', 'pointerdown', 'wheel', 'keydown'] as const;

/** Calls `onDay` with the running UTC day at each sign of a person at a visible page, until the returned function is called. */
export function watchForDay(page: EventTarget, isVisible: () => boolean, onDay: (day: string) => void): () => void {
  const onSign = () => { if (isVisible()) onDay(utcDay()); };
  for (const sign of SIGNS) page.addEventListener(sign, onSign, { passive: true });
  return () => { for (const sign of SIGNS) page.removeEventListener(sign, onSign); };
}

/**
 * The UTC day. In a page that is left open it changes at the first sign of a person after midnight. No timer changes it: the reads of the new
 * day count as use of the session, and an idle page must not extend it.
 */
export function useUtcDay(): string {
  const [day, setDay] = useState(() => utcDay());
  useEffect(() => watchForDay(window, () => document.visibilityState === 'visible', setDay), []);
  return day;
}
