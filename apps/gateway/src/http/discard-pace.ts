import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Bytes a second of refused bodies that the process reads to keep their connections. */
export const DISCARDED_BYTES_PER_SECOND = 16 * 1_048_576;
/** As many are read without a pause: a few of the largest bodies. */
export const DISCARDED_BYTES_AT_ONCE = 8 * 1_048_576;

/** How long a refused body is read, where its reply is complete. Its connection is closed then. */
export const MAX_DISCARD_MILLISECONDS = 10_000;

/** Reads what clients still send of bodies that are refused, all together at a bounded pace and each for a bounded time, and drops it. */
export class DiscardPace {
  /** When all that was read would have been read at the pace, in milliseconds of the clock. */
  #paidUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Takes over the reading of a body, which `res` replies to. Its connection takes the next request once the body has ended. */
  discard(req: IncomingMessage, res: ServerResponse): void {
    if (req.complete || req.destroyed) return;
    const cancel = this.clock.schedule(MAX_DISCARD_MILLISECONDS, () => {
      if (res.writableFinished) req.destroy();
      else res.once('finish', () => req.destroy());
    });
    req.once('end', cancel).once('close', cancel);
    let pausing = false;
    req.on('data', (chunk: Buffer) => {
      const pause = this.#pauseAfter(chunk.length);
      if (pause === 0 || pausing) return;
      pausing = true;
      // A body that is paused before Node's buffer is empty counts as never read, and Node reads such a body without a pause once the reply is complete.
      process.nextTick(() => req.pause());
      this.clock.schedule(pause, () => {
        pausing = false;
        req.resume();
      });
    });
    req.resume();
  }

  /** Milliseconds to wait after so many bytes. */
  #pauseAfter(bytes: number): number {
    const now = this.clock.now();
    this.#paidUntil = Math.max(now, this.#paidUntil) + (bytes * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    const atOnce = (DISCARDED_BYTES_AT_ONCE * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    return Math.max(0, Math.ceil(this.#paidUntil - now - atOnce));
  }
}
