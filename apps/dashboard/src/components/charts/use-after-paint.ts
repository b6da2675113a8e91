import { useEffect, useState } from 'react';

const AT_THE_LATEST = 1_000;

/** True once the browser is idle after the first paint, at the latest after a second. */
export function useAfterPaint(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = window.setTimeout(() => setPainted(true), 0);
      return () => window.clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(() => setPainted(true), { timeout: AT_THE_LATEST });
    return () => window.cancelIdleCallback(handle);
  }, []);
  return painted;
}
