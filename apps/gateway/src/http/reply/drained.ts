import type { ServerResponse } from 'node:http';
import type { Clock } from '@tollgate/core';

/** How long a client may take nothing of what waits for it before its connection is cut. */
export const STALLED_READER_MILLISECONDS = 60_000;

/** Resolves when a client has taken what was written, or is gone. A client that takes nothing for a minute is cut off. */
export function drained(res: ServerResponse, clock: Clock): Promise<void> {
  if (!res.writableNeedDrain || res.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.schedule(STALLED_READER_MILLISECONDS, () => res.destroy());
    const go = (): void => {
      cancel();
      res.off('drain', go).off('close', go);
      resolve();
    };
    res.once('drain', go).once('close', go);
  });
}
