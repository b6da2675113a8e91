import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';
import { runCurl } from '../driver/copied-command.js';
import { type Hand, mouse } from '../driver/hand.js';
import { until } from '../driver/wait.js';
import { exactAmounts } from './exact-amounts.js';
import { closeIssued, createKey, secretIn, chooseAction } from './key-steps.js';

const REVOKED_WITHIN = 1_000;

/** Status and code of the answer to a small request with a key. */
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

export const keyArrival: Check = { number: 4, title: 'The open dialog of a new key says that its first request came, and leads to the charge', run: noticesRequest };

/** Rotates a key in use, and revokes the one that takes its place. */
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
  await shown(question.getByText('The present key stops at once'));
  await hand.press(question.getByRole('button', { name: 'Rotate key' }));
  const rotated = page.getByRole('dialog', { name: 'Key “ci” rotated' });
  await hand.followed(rotated);
  const secret = await secretIn(rotated);
  await closeIssued(rotated, hand);
  assert.deepEqual([(await ask(check, old)).code, (await ask(check, secret)).status], ['invalid_api_key', 200]);
  // A key in use has to be named before it is revoked; the list from before does not know that it was used.
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
    await form.getByLabel('Service tokens at most').fill('2');
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
  await shown(page.getByText(/ of 2 · starts anew \d+ \w+/));
}

export const keyLimit: Check = { number: 7, title: 'A key whose spending limit is reached is refused, and its page says until when', run: reachesLimit };
