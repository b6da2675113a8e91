import type { Locator } from 'playwright-core';

/** Counts the clicks of a path through the pages. */
export class Clicks {
  #made = 0;

  get made(): number {
    return this.#made;
  }

  async on(target: Locator): Promise<void> {
    this.#made += 1;
    await target.click();
  }
}
