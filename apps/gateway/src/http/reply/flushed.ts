import type { ServerResponse } from 'node:http';
import type { Clock } from '@tollgate/core';
import { ReaderWatch } from './reader-watch.js';

/** Resolves once everything written to a reply has been handed to the operating system, or its client is gone or does not read. */
export function flushed(res: ServerResponse, clock: Clock): Promise<void> {
  if (res.writableLength === 0 || res.closed) return Promise.resolve();
  const watch = new ReaderWatch(res.req.socket, clock);
  return new Promise((resolve) => {
    const go = (): void => {
      watch.stop();
      res.off('close', go);
      resolve();
    };
    res.once('close', go);
    // An empty write is done when those before it are. A reply has no `drain` below its high-water mark.
    res.write('', go);
  });
}

/** Sees to it that a reply that has been written to its end does not wait for ever for a client that does not read. */
export function watchToEnd(res: ServerResponse, clock: Clock): void {
  // The operating system takes most replies at once.
  if (res.writableLength === 0 || res.closed) return;
  const watch = new ReaderWatch(res.req.socket, clock);
  res.once('close', () => watch.stop());
}
