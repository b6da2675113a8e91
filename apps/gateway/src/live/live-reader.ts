import type { PersonId } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { beginEvents } from '../http/reply/send-events.js';

/** After this many frames lost in a row, the reader counts as disconnected. */
export const MAX_LOST_FRAMES = 60;

/** A watching browser. At most one frame waits for it; others are dropped. */
export class LiveReader {
  readonly ended: Promise<void>;
  #lost = 0;
  #checking = false;
  #resolveEnded: () => void = () => undefined;

  /** `isStillSignedIn` is called periodically; a rejection counts as no. */
  constructor(readonly person: PersonId, private readonly exchange: HttpExchange, private readonly isStillSignedIn: () => Promise<boolean>) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    beginEvents(exchange);
    exchange.res.once('close', () => this.#resolveEnded());
    exchange.signal.addEventListener('abort', () => this.end());
  }

  onEnd(listener: () => void): void {
    void this.ended.then(listener);
  }

  send(frames: string): void {
    const { res } = this.exchange;
    if (res.writableEnded || res.destroyed) return;
    if (res.writableLength > 0) {
      this.#lost += 1;
      if (this.#lost >= MAX_LOST_FRAMES) res.destroy();
      return;
    }
    this.#lost = 0;
    res.write(frames);
  }

  /** Ends the stream if the session has ended. */
  checkSession(): void {
    if (this.#checking) return;
    this.#checking = true;
    void this.isStillSignedIn().catch(() => false).then((isSignedIn) => {
      this.#checking = false;
      if (!isSignedIn) this.end();
    });
  }

  end(): void {
    const { res } = this.exchange;
    // Unread frames would keep the connection open.
    if (res.writableLength > 0) res.destroy();
    else res.end();
    this.#resolveEnded();
  }
}
