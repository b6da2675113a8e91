import type { ServerResponse } from 'node:http';
import type { Clock, Instant } from '@tollgate/core';

/** A stream is never silent for longer. */
export const KEEP_ALIVE_MILLISECONDS = 10_000;

/** Fills the silence of a stream with frames that clients ignore. One timer per stream, however many events it has. */
export class KeepAlive {
  #lastWriteAt: Instant;
  #cancel: () => void;

  constructor(private readonly res: ServerResponse, private readonly frame: string, private readonly clock: Clock) {
    this.#lastWriteAt = clock.now();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }

  /** Something else was written. */
  touch(): void {
    this.#lastWriteAt = this.clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  private check(): void {
    const silence = this.clock.now() - this.#lastWriteAt;
    if (silence < KEEP_ALIVE_MILLISECONDS) {
      this.#cancel = this.clock.schedule(KEEP_ALIVE_MILLISECONDS - silence, () => this.check());
      return;
    }
    // A client that has not taken what it was sent already would get nothing from one more frame.
    if (!this.res.writableNeedDrain) this.res.write(this.frame);
    this.touch();
    this.#cancel = this.clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }
}
