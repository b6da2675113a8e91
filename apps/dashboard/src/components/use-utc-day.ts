import { useEffect, useState } from 'react';
import { utcDay } from '../format/day';

/** User activity, or the page becoming visible. */
const SIGNS = ['visibilitychange', 'focus', 'pointermove', 'pointerdown', 'wheel', 'keydown'] as const;

/** Calls `onDay` for each user activity while the page is visible. Returns a function that stops watching. */
export function watchForDay(page: EventTarget, isVisible: () => boolean, onDay: (day: string) => void): () => void {
  const onSign = () => { if (isVisible()) onDay(utcDay()); };
  for (const sign of SIGNS) page.addEventListener(sign, onSign, { passive: true });
  return () => { for (const sign of SIGNS) page.removeEventListener(sign, onSign); };
}

/** The UTC day at the last user activity. A timer does not change it, because the requests for a new day would extend the session of an idle page. */
export function useUtcDay(): string {
  const [day, setDay] = useState(() => utcDay());
  useEffect(() => watchForDay(window, () => document.visibilityState === 'visible', setDay), []);
  return day;
}
