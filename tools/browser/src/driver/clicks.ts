import type { Locator } from 'playwright-core';
import { type Hand, mouse } from './hand.js';

/** Counts the clicks of a path through the pages. */
export class Clicks {
  #made = 0;

  constructor(private readonly hand: Hand = mouse) {}

  get made(): number {
    return this.#made;
  }

  async on(target: Locator): Promise<void> {
    this.#made += 1;
    await this.hand.press(target);
  }
}
