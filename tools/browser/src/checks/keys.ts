import { strict as assert } from 'node:assert';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';
import { heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import { chooseAction } from '../pages/key-menu.js';
import { exactAmounts } from './amount-places.js';
import { assertContains, type Check, type CheckContext } from './check.js';
import { runCurl } from './first-run.js';

const SECRET = /^sk-\S+$/;

interface CreationSteps {
  /** Fills in the optional fields of the form. */
  readonly fill?: (dialog: Locator) => Promise<void>;
  readonly hand?: Hand;
}

/** Creates a key; resolves with the dialog that shows its secret. */
async function createKey(page: Page, name: string, { fill, hand = mouse }: CreationSteps = {}): Promise<Locator> {
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

async function secretIn(dialog: Locator): Promise<string> {
  const secret = (await dialog.getByLabel('Key', { exact: true }).innerText()).trim();
  if (!SECRET.test(secret)) throw new Error(`this is not the secret of a key: ${secret}`);
  return secret;
}

/** Confirms that the secret is stored, and closes the dialog. */
async function closeIssued(dialog: Locator, hand: Hand = mouse): Promise<void> {
  await hand.tick(dialog.getByRole('checkbox', { name: 'I have stored the key' }));
  await hand.press(dialog.getByRole('button', { name: 'Done' }));
  await hand.closed(dialog);
}

/** All text of a page that could contain a secret: contents, fields, storage and address. */
async function keptBy(page: Page, context: BrowserContext): Promise<string> {
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
  await shown(heading(page, 'API keys'));
  assert.ok(!(await keptBy(page, context)).includes(secret), 'the secret of the key is there again after a reload');
}

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

/**
 * Tries to copy the secret without access to the clipboard: the dialog reports the failure and selects the secret, and Escape asks for confirmation.
 */
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

/** Creates one key with access to the clipboard, and one without. */
export async function createsKeys(check: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const owner = await check.owner();
  const trusted = await check.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
  await assertForgotten(trusted.page, trusted.context, await copyAndClose(trusted.page, handOf(trusted.page)));
  // An empty list of permissions denies all of them.
  const refused = await check.signedIn(owner, { permissions: [] });
  await refused.context.grantPermissions([]);
  await assertForgotten(refused.page, refused.context, await failToCopy(refused.page, handOf(refused.page)));
}

export const keySecrets: Check = { number: 3, title: 'The dialog of a new key copies it, shows an error if the browser refuses, warns before it closes without a copy, and clears the key', run: (check) => createsKeys(check, () => mouse) };

const REVOKED_WITHIN = 1_000;

async function ask({ world }: CheckContext, secret: string, text = 'Hello.'): Promise<{ readonly status: number; readonly code: string | undefined; readonly message: string }> {
  const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', max_tokens: 200, messages: [{ role: 'user', content: text }] }),
  });
  const { error } = await response.json() as { readonly error?: { readonly code: string; readonly message: string } };
  return { status: response.status, code: error?.code, message: error?.message ?? '' };
}

async function noticesRequest(check: CheckContext): Promise<void> {
  const { page } = await check.signedIn(await check.owner(), { permissions: ['clipboard-read', 'clipboard-write'] });
  const dialog = await createKey(page, 'terminal');
  await shown(dialog.getByText('Waiting for the first request with this key'));
  await dialog.getByRole('button', { name: 'Copy command' }).click();
  await shown(dialog.getByRole('button', { name: 'Copied' }));
  const response = await runCurl(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(response.status, 200, await response.clone().text());
  await shown(dialog.getByText('The first request arrived.'));
  await dialog.getByRole('link', { name: 'View charge' }).click();
  await page.waitForURL(/\/dashboard\/usage\/req_/);
  const charge = page.getByRole('region', { name: 'Charge' });
  await shown(charge);
  assert.ok((await exactAmounts(charge)).includes(response.headers.get('x-svc-tokens-debited') ?? ''), 'the page shows the charge of the reply');
}

export const keyArrival: Check = { number: 4, title: 'The open dialog of a new key shows that its first request arrived, and links to the charge', run: noticesRequest };

export async function rotatesAndRevokes(check: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const { page } = await check.signedIn(await check.owner());
  const hand = handOf(page);
  const dialog = await createKey(page, 'ci', { hand });
  const old = await secretIn(dialog);
  await closeIssued(dialog, hand);
  assert.equal((await ask(check, old)).status, 200);
  await chooseAction(page, { name: 'ci', action: 'Rotate' }, hand);
  const question = page.getByRole('dialog', { name: 'Rotate “ci”?' });
  await hand.opened(question);
  await shown(question.getByText('The current key stops working at once'));
  await hand.press(question.getByRole('button', { name: 'Rotate key' }));
  const rotated = page.getByRole('dialog', { name: 'Key “ci” rotated' });
  await hand.followed(rotated);
  const secret = await secretIn(rotated);
  await closeIssued(rotated, hand);
  assert.deepEqual([(await ask(check, old)).code, (await ask(check, secret)).status], ['invalid_api_key', 200]);
  // To revoke a recently used key, its name must be typed, even if the list was loaded before the use.
  await page.goto('/dashboard/keys');
  await chooseAction(page, { name: 'ci', action: 'Revoke' }, hand);
  const last = page.getByRole('dialog', { name: 'Revoke “ci”?' });
  await hand.opened(last);
  await hand.write(last.getByLabel('Name of the key'), 'ci');
  const revoked = page.waitForResponse((response) => response.url().endsWith('/revoke'));
  await hand.press(last.getByRole('button', { name: 'Revoke key' }));
  await revoked;
  const since = Date.now();
  await until('the revoked key to be refused', async () => (await ask(check, secret)).code === 'invalid_api_key', REVOKED_WITHIN);
  assert.ok(Date.now() - since <= REVOKED_WITHIN);
  await hand.closed(last);
}

export const keyEnd: Check = { number: 6, title: 'A rotated key is refused and its replacement works; a revoked one is refused within a second', run: (check) => rotatesAndRevokes(check, () => mouse) };

async function reachesLimit(check: CheckContext): Promise<void> {
  const { page } = await check.signedIn(await check.owner());
  const fill = async (form: Locator): Promise<void> => {
    await form.getByLabel('Spending limit').click();
    await page.getByRole('option', { name: 'Per day (UTC)' }).click();
    // The field is in dollars; the amount equals two service tokens.
    await form.getByLabel('At most', { exact: true }).fill('0.002');
  };
  const dialog = await createKey(page, 'limited', { fill });
  const secret = await secretIn(dialog);
  await closeIssued(dialog);
  const refusal = await until('the limit to be reached', async () => {
    const answer = await ask(check, secret, 'Hello. [[tokens:190]]');
    return answer.status === 200 ? null : answer;
  });
  assert.deepEqual([refusal.status, refusal.code], [429, 'api_key_limit_exceeded']);
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'limited' }).click();
  await shown(heading(page, 'limited'));
  await shown(page.getByText(/ of 2 · resets \d+ \w+/));
}

export const keyLimit: Check = { number: 7, title: 'A key that has reached its spending limit is refused, and its page shows until when', run: reachesLimit };
