import { useEffect, useState } from 'react';
import { utcDay } from '../format/day';

/** User activity, or the page becoming visible. */
const SIGNS = ['visibilitychange', 'focus', 'pointermove', 'pointerdown', 'wheel', 'keydown'] as const;

/** Calls `onDay` for the first user activity on a new day while the page is visible. Returns a function that stops it. */
export function watchForDay(page: EventTarget, isVisible: () => boolean, onDay: (day: string) => void): () => void {
  const onSign = () => { if (isVisible()) onDay(utcDay()); };
  for (const sign of SIGNS) page.addEventListener(sign, onSign, { passive: true });
  return () => { for (const sign of SIGNS) page.removeEventListener(sign, onSign); };
}

/** Changes at the first user activity after midnight UTC. Not changed by a timer: each request extends the session, and an idle page must not. */
export function useUtcDay(): string {
  const [day, setDay] = useState(() => utcDay());
  useEffect(() => watchForDay(window, () => document.visibilityState === 'visible', setDay), []);
  return day;
}
