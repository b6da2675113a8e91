import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Maximum rate of all refused bodies together. */
export const DISCARDED_BYTES_PER_SECOND = 16 * 1_048_576;
/** Bytes read without a pause: a few of the largest bodies. */
export const DISCARDED_BYTES_AT_ONCE = 8 * 1_048_576;

/** Maximum time for the rest of a body, after which its connection is closed. */
export const MAX_DISCARD_MILLISECONDS = 10_000;

/** Discards the rest of refused bodies, so that their connections can be reused. Bounds the total rate, and the time per body. */
export class DiscardPace {
  /** Earliest time by which the bytes read so far can be read without exceeding the rate. */
  #paidUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Closes the connection if the rest of the body takes too long. */
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
      // Node treats a body paused before its buffer is empty as never read, and would read it without a pause once the reply is complete.
      process.nextTick(() => req.pause());
      this.clock.schedule(pause, () => {
        pausing = false;
        req.resume();
      });
    });
    req.resume();
  }

  /** Milliseconds to pause after reading these bytes. */
  #pauseAfter(bytes: number): number {
    const now = this.clock.now();
    this.#paidUntil = Math.max(now, this.#paidUntil) + (bytes * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    const atOnce = (DISCARDED_BYTES_AT_ONCE * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    return Math.max(0, Math.ceil(this.#paidUntil - now - atOnce));
  }
}
