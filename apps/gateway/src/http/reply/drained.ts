import type { ServerResponse } from 'node:http';
import type { Clock } from '@tollgate/core';

/** How long a client may take nothing of what waits for it before its connection is cut. */
export const STALLED_READER_MILLISECONDS = 60_000;

/** Whether a client has yet to take what was written, be it to the reply or past it to the connection. */
export function needsDrain(res: ServerResponse): boolean {
  return res.writableNeedDrain || (res.socket !== null && res.socket.writableNeedDrain);
}

/** Resolves when a client has taken what was written, or is gone. A client that takes nothing for a minute is cut off. */
export function drained(res: ServerResponse, clock: Clock): Promise<void> {
  if (!needsDrain(res) || res.closed) return Promise.resolve();
  const { socket } = res;
  return new Promise((resolve) => {
    const cancel = clock.schedule(STALLED_READER_MILLISECONDS, () => res.destroy());
    const go = (): void => {
      cancel();
      res.off('drain', go).off('close', go);
      socket?.off('drain', go);
      resolve();
    };
    // A reply says nothing of what was written past it.
    res.once('drain', go).once('close', go);
    socket?.once('drain', go);
  });
}
