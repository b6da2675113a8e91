import type { Locator, Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';

const SECRET = /^sk-\S+$/;

interface CreationSteps {
  /** Fills in what a key has beside its name. */
  readonly fill?: (dialog: Locator) => Promise<void>;
  readonly hand?: Hand;
}

/** Opens the dialog of a new key and creates one. Resolves with the dialog that shows its secret. */
export async function createKey(page: Page, name: string, { fill, hand = mouse }: CreationSteps = {}): Promise<Locator> {
  await page.goto('/dashboard/keys');
  await hand.press(page.getByRole('button', { name: 'Create key', exact: true }).first());
  const form = page.getByRole('dialog', { name: 'Create key' });
  await hand.opened(form);
  await hand.write(form.getByLabel('Name', { exact: true }), name);
  await fill?.(form);
  await hand.press(form.getByRole('button', { name: 'Create', exact: true }));
  const issued = page.getByRole('dialog', { name: `Key “${name}” created` });
  await hand.followed(issued);
  return issued;
}

/** The secret that a dialog shows. */
export async function secretIn(dialog: Locator): Promise<string> {
  const secret = (await dialog.getByLabel('Key', { exact: true }).innerText()).trim();
  if (!SECRET.test(secret)) throw new Error(`this is no secret of a key: ${secret}`);
  return secret;
}

/** Says that the secret is stored, and closes the dialog that shows it. */
export async function closeIssued(dialog: Locator, hand: Hand = mouse): Promise<void> {
  await hand.tick(dialog.getByRole('checkbox', { name: 'I have stored the key' }));
  await hand.press(dialog.getByRole('button', { name: 'Done' }));
  await hand.closed(dialog);
}

/** Chooses an action from the menu of a key in the list; of several with this name, that of the newest. */
export async function chooseAction(page: Page, { name, action }: { readonly name: string; readonly action: string }, hand: Hand = mouse): Promise<void> {
  await hand.press(page.getByRole('button', { name: `Actions for “${name}”` }).first());
  await hand.press(page.getByRole('menuitem', { name: action }));
}
