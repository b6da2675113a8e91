import { useEffect, useState } from 'react';

const SECOND = 1_000;

/** Whole seconds until the time, counted down; 0 afterwards and for `null`. */
export function useWait(until: number | null): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (until === null) return undefined;
    const timer = window.setInterval(() => setNow(Date.now()), SECOND / 4);
    return () => window.clearInterval(timer);
  }, [until]);
  if (until === null || now === 0) return 0;
  return Math.max(0, Math.ceil((until - now) / SECOND));
}
