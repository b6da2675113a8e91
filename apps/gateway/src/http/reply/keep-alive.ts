import type { ServerResponse } from 'node:http';
import type { Clock, Instant } from '@tollgate/core';
import { sendEvents } from './send-events.js';

/** A stream is never silent for longer. */
export const KEEP_ALIVE_MILLISECONDS = 10_000;

export interface KeepAliveParts {
  readonly res: ServerResponse;
  readonly frame: string;
  readonly clock: Clock;
}

/** Fills the silence of a stream with frames that clients ignore. One timer per stream, however many events it has. */
export class KeepAlive {
  #lastWriteAt: Instant;
  #cancel: () => void;

  constructor(private readonly parts: KeepAliveParts) {
    const { clock } = parts;
    this.#lastWriteAt = clock.now();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }

  /** Something else was written. */
  touch(): void {
    this.#lastWriteAt = this.parts.clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  private check(): void {
    const { res, frame, clock } = this.parts;
    const silence = clock.now() - this.#lastWriteAt;
    if (silence < KEEP_ALIVE_MILLISECONDS) {
      this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS - silence, () => this.check());
      return;
    }
    // A client that has not taken what it was sent already would get nothing from one more frame.
    if (res.writableLength === 0) sendEvents(res, { text: frame, isAscii: false });
    this.touch();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }
}
