import { type TokensUsed, tokenCount } from '@tollgate/core';
import type { TokensUsedSource } from '../seed-reader.js';

/** A source of truth of one account's use, all of it today. Its answers can be held back. */
export class UsageSource implements TokensUsedSource {
  readonly #waiting: (() => void)[] = [];
  used = 0;
  reads = 0;
  isHeldBack = false;

  async tokensUsed(): Promise<TokensUsed> {
    this.reads += 1;
    const used = tokenCount(this.used);
    if (this.isHeldBack) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return { day: used, month: used };
  }

  /** Readings begun and not answered. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Gives the answers held back, as they were when they were asked for. */
  answer(): void {
    this.isHeldBack = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
