import type { Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';

/** Uses the newest of several keys with this name. */
export async function chooseAction(page: Page, { name, action }: { readonly name: string; readonly action: string }, hand: Hand = mouse): Promise<void> {
  await hand.press(page.getByRole('button', { name: `Actions for “${name}”` }).first());
  await hand.press(page.getByRole('menuitem', { name: action }));
}
