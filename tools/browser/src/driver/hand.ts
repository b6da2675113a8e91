import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { until } from './wait.js';

/** How a person acts on a page: by mouse or by keyboard only. */
export interface Hand {
  press(target: Locator): Promise<void>;
  /** Replaces the content of a field. */
  write(field: Locator, text: string): Promise<void>;
  tick(box: Locator): Promise<void>;
  /** Resolves once the dialog is open; with the keyboard, once it is also focused. */
  opened(dialog: Locator): Promise<void>;
  /** Resolves once the next dialog is open; with the keyboard, once it is also focused. */
  followed(dialog: Locator): Promise<void>;
  /** Resolves once the dialog is closed; with the keyboard, once its opener has the focus again. */
  closed(dialog: Locator): Promise<void>;
}

export const mouse: Hand = {
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  tick: (box) => box.check(),
  opened: (dialog) => dialog.waitFor({ state: 'visible' }),
  followed: (dialog) => dialog.waitFor({ state: 'visible' }),
  closed: (dialog) => dialog.waitFor({ state: 'hidden' }),
};

const MAX_STOPS = 250;

/** The element that has the focus. */
interface Focused {
  readonly name: string;
  /** Why the focus is invisible; `null` if it is visible. */
  readonly hidden: string | null;
  readonly isPage: boolean;
}

/** Describes the focused element; playwright runs this function in the page. */
function focused(): Focused {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { name: 'the page', hidden: null, isPage: true };
  const name = `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.innerText).trim().slice(0, 60)}"`;
  const outlineOf = (one: Element | null): boolean => {
    if (one === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  };
  // Some inputs draw their focus outline on an element next to or around them.
  const drawn = [element, element.nextElementSibling, element.parentElement, element.parentElement?.parentElement ?? null, element.parentElement?.parentElement?.parentElement ?? null];
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const inSight = right > 0 && bottom > 0 && left < window.innerWidth && top < window.innerHeight;
  return { name, hidden: !inSight ? 'is out of sight' : drawn.some(outlineOf) ? null : 'looks as it does without the focus', isPage: false };
}

/** Acts by Tab, Enter, Space, arrows and letters. Rejects if a target cannot be reached or the focus is invisible. */
export class Keyboard implements Hand {
  /** Openers of the dialogs that are open; the innermost dialog's is the last. */
  readonly #openers: string[] = [];
  #lastPressed = '';

  constructor(private readonly page: Page) {}

  async press(target: Locator): Promise<void> {
    // A pressed menu item is not recorded: it disappears with its menu, so the menu's button stays the last pressed element.
    const isItem = await this.#isMenuItem(target);
    if (isItem) await this.#moveTo(target, 'ArrowDown');
    else {
      await this.#tabTo(target);
      this.#lastPressed = (await this.page.evaluate(focused)).name;
    }
    await this.page.keyboard.press('Enter');
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.#tabTo(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  async tick(box: Locator): Promise<void> {
    await this.#tabTo(box);
    if (!(await box.isChecked())) await this.page.keyboard.press('Space');
  }

  async opened(dialog: Locator): Promise<void> {
    this.#openers.push(this.#lastPressed);
    await this.followed(dialog);
  }

  async followed(dialog: Locator): Promise<void> {
    await dialog.waitFor({ state: 'visible' });
    await until(`${String(dialog)} to have the focus`, () => dialog.evaluate((element) => element.contains(document.activeElement)));
  }

  async closed(dialog: Locator): Promise<void> {
    await dialog.waitFor({ state: 'hidden' });
    const opener = this.#openers.pop();
    if (opener === undefined) return;
    let last = '';
    await until(`${opener} to have the focus again`, async () => {
      last = (await this.page.evaluate(focused)).name;
      return last === opener;
    }).catch((thrown: unknown) => { throw new Error(`${String(thrown)}: the focus is on ${last}`); });
  }

  async #isMenuItem(target: Locator): Promise<boolean> {
    await target.waitFor({ state: 'visible' });
    return target.evaluate((element) => element.closest('[role="menu"]') !== null);
  }

  /** Moves the focus by Tab within the open dialog, or through the whole page. */
  async #tabTo(target: Locator): Promise<void> {
    await target.waitFor({ state: 'visible' });
    await this.#moveTo(target, 'Tab');
  }

  /** Waits for a focus, because a page sets it one frame after it has removed the focused element. */
  async #startsSomewhere(): Promise<void> {
    await until(`something to have the focus after ${this.#lastPressed}`, async () => !(await this.page.evaluate(focused)).isPage);
  }

  async #moveTo(target: Locator, key: 'Tab' | 'ArrowDown'): Promise<void> {
    await this.#startsSomewhere();
    const passed: string[] = [];
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      const { name, hidden } = await this.page.evaluate(focused);
      const isReached = await target.evaluate((element) => element === document.activeElement);
      // Initially, the page title has the focus.
      if (stops > 0 || isReached) assert.equal(hidden, null, `${name} has the focus at ${this.page.url()} on the way to ${String(target)}, and ${hidden ?? ''}`);
      if (isReached) return;
      passed.push(name);
      await this.page.keyboard.press(key);
    }
    assert.fail(`${String(target)} cannot be reached by ${key}; there were ${[...new Set(passed)].join(', ')}`);
  }
}

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
