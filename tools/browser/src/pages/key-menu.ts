import type { Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';

/** Chooses an action in the menu of a key. If several keys have this name, uses the menu of the newest. */
export async function chooseAction(page: Page, { name, action }: { readonly name: string; readonly action: string }, hand: Hand = mouse): Promise<void> {
  await hand.press(page.getByRole('button', { name: `Actions for “${name}”` }).first());
  await hand.press(page.getByRole('menuitem', { name: action }));
}
