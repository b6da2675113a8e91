import type { Locator, Page } from 'playwright-core';
import { shown } from './check-context.js';

const SECRET = /^sk-\S+$/;

/** Opens the dialog of a new key and creates one. Resolves with the dialog that shows its secret. */
export async function createKey(page: Page, name: string, fill: (dialog: Locator) => Promise<void> = () => Promise.resolve()): Promise<Locator> {
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'Create key', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.getByLabel('Name', { exact: true }).fill(name);
  await fill(form);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  const issued = page.getByRole('dialog', { name: `Key “${name}” created` });
  await shown(issued);
  return issued;
}

/** The secret that a dialog shows. */
export async function secretIn(dialog: Locator): Promise<string> {
  const secret = (await dialog.getByLabel('Key', { exact: true }).innerText()).trim();
  if (!SECRET.test(secret)) throw new Error(`this is no secret of a key: ${secret}`);
  return secret;
}

/** Says that the secret is stored, and closes the dialog that shows it. */
export async function closeIssued(dialog: Locator): Promise<void> {
  await dialog.getByRole('checkbox', { name: 'I have stored the key' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Chooses an action from the menu of a key in the list; of several with this name, that of the newest. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for “${name}”` }).first().click();
  await page.getByRole('menuitem', { name: action }).click();
}
