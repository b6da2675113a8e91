import { beginEvents } from '../http/reply/send-events.js';
import type { Exchange } from '../http/exchange.js';

/** A reader that takes nothing for so many frames is gone. */
export const MOST_LOST_FRAMES = 60;

/** One browser that watches. What it does not take in time is lost to it: at most one frame waits for it. */
export class LiveReader {
  /** Resolves when the stream is over. */
  readonly ended: Promise<void>;
  #lost = 0;
  #checking = false;
  #resolveEnded: () => void = () => undefined;

  /** `isStillSignedIn` is asked from time to time; one that rejects says no. */
  constructor(private readonly exchange: Exchange, private readonly isStillSignedIn: () => Promise<boolean>) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    beginEvents(exchange.res);
    exchange.res.once('close', () => this.#resolveEnded());
    exchange.signal.addEventListener('abort', () => this.end(), { once: true });
  }

  onEnd(listener: () => void): void {
    void this.ended.then(listener);
  }

  send(frames: string): void {
    const { res } = this.exchange;
    if (res.writableEnded || res.destroyed) return;
    if (res.writableLength > 0) {
      this.#lost += 1;
      if (this.#lost >= MOST_LOST_FRAMES) res.destroy();
      return;
    }
    this.#lost = 0;
    res.write(frames);
  }

  /** Ends the stream where the session has ended. */
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
    // Frames that the browser has not taken would keep the connection open.
    if (res.writableLength > 0) res.destroy();
    else res.end();
    this.#resolveEnded();
  }
}
