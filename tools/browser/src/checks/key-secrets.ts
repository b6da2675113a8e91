import { strict as assert } from 'node:assert';
import type { BrowserContext, Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';
import type { Check } from './check.js';
import { assertContains, type CheckContext, heading, shown } from './check-context.js';
import { createKey, secretIn } from './key-steps.js';

/** Everything that a page, its storage and its address keep. */
export async function keptBy(page: Page, context: BrowserContext): Promise<string> {
  const inPage = await page.evaluate(async () => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
    const databases = await indexedDB.databases();
    const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage));
    return JSON.stringify([document.documentElement.outerHTML, fields, stored, databases, await caches.keys(), location.href, history.state, document.title]);
  });
  return inPage + JSON.stringify(await context.storageState());
}

async function assertForgotten(page: Page, context: BrowserContext, secret: string): Promise<void> {
  assert.ok(!(await keptBy(page, context)).includes(secret), 'the secret of the key is still kept by the page');
  await page.reload();
  await shown(heading(page, 'Keys'));
  assert.ok(!(await keptBy(page, context)).includes(secret), 'the secret of the key is there again after a reload');
}

/** Copies the secret, and closes without a question. */
async function copyAndClose(page: Page, hand: Hand): Promise<string> {
  const dialog = await createKey(page, 'copied', { hand });
  const secret = await secretIn(dialog);
  await hand.press(dialog.getByRole('button', { name: 'Copy key' }));
  await shown(dialog.getByRole('button', { name: 'Copied' }));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await page.keyboard.press('Escape');
  await hand.closed(dialog);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  return secret;
}

/** Where the clipboard is refused, the dialog says so and selects the secret; Escape asks before the key is lost. */
async function failToCopy(page: Page, hand: Hand): Promise<string> {
  const dialog = await createKey(page, 'refused', { hand });
  const secret = await secretIn(dialog);
  await hand.press(dialog.getByRole('button', { name: 'Copy key' }));
  await shown(dialog.getByText('Copying is not available at this address. The key is selected: press Ctrl+C.'));
  assert.equal(await dialog.getByRole('button', { name: 'Copied' }).count(), 0);
  assert.equal((await page.evaluate(() => getSelection()?.toString() ?? '')).trim(), secret);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: /Close without copying the key/ });
  await hand.followed(question);
  await hand.press(question.getByRole('button', { name: 'Go back' }));
  await question.waitFor({ state: 'hidden' });
  await hand.followed(dialog);
  assertContains(await dialog.innerText(), secret, 'the dialog that was gone back to');
  await page.keyboard.press('Escape');
  await hand.press(question.getByRole('button', { name: 'Close without copying' }));
  await hand.closed(dialog);
  return secret;
}

/** Creates keys where the clipboard can be used, and where it is refused. */
export async function createsKeys(check: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const owner = await check.owner();
  const trusted = await check.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
  await assertForgotten(trusted.page, trusted.context, await copyAndClose(trusted.page, handOf(trusted.page)));
  // An empty list of permissions refuses them all.
  const refused = await check.signedIn(owner, { permissions: [] });
  await refused.context.grantPermissions([]);
  await assertForgotten(refused.page, refused.context, await failToCopy(refused.page, handOf(refused.page)));
}

export const keySecrets: Check = { number: 3, title: 'The dialog of a new key copies it, tells where it cannot, asks before it is lost, and forgets it', run: (check) => createsKeys(check, () => mouse) };
