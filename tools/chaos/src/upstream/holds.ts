import type { ServerResponse } from 'node:http';

const LONGEST_HOLD_MILLISECONDS = 15_000;

/** Replies that have been stopped in the middle. */
export class Holds {
  readonly #waiting = new Set<() => void>();

  /** Resolves when whoever reads the reply has gone, when everyone is let go, and after a while in any case. */
  async hold(response: ServerResponse): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_HOLD_MILLISECONDS);
      const goOn = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(goOn);
        resolve();
      };
      this.#waiting.add(goOn);
      response.once('close', goOn);
    });
  }

  letGo(): void {
    for (const goOn of this.#waiting) goOn();
  }
}
