import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import { statusOfPlayground } from '../driver/dashboard-api.js';
import { gone, shown } from '../driver/page-states.js';
import { sendRequest } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

async function assertFocused(field: Locator): Promise<void> {
  assert.equal(await field.evaluate((node) => node === document.activeElement), true, 'the first faulty field has the focus');
}

/** Checks that the sign-up form shows faults before it sends anything. */
async function showsFaultsOfSignUp(context: CheckContext): Promise<void> {
  const { page } = await context.page();
  await page.goto('/dashboard/sign-up');
  assert.ok(!/folder|[A-Z]+_[A-Z_]+|environment|console/.test(await page.locator('body').innerText()), 'a customer reads nothing of the machine');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await shown(page.getByText('Enter an e-mail address, such as name@example.com.', { exact: true }));
  await shown(page.getByText('Enter at least 8 characters.', { exact: true }));
  await assertFocused(page.getByLabel('E-mail', { exact: true }));
}

/** Checks that faults found by the gateway are shown in the language of the page. */
async function showsFaultsInGerman(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner());
  await page.goto('/dashboard/account?tab=profile');
  await page.getByRole('button', { name: /^Person:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  const [name, account] = [page.getByLabel('Ihr Name', { exact: true }), page.getByLabel('Name des Kontos', { exact: true })];
  await name.fill('A\tda');
  await account.fill('Roc\tket');
  await page.getByRole('button', { name: 'Änderungen speichern' }).click();
  const text = 'Tabulatoren, Zeilenumbrüche und andere Steuerzeichen sind hier nicht möglich.';
  await shown(page.getByText(text).nth(1));
  assert.deepEqual([await name.getAttribute('aria-invalid'), await account.getAttribute('aria-invalid')], ['true', 'true']);
  await assertFocused(name);
}

async function endsFirstSteps(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  const card = page.getByRole('heading', { name: 'Get started', exact: true });
  await shown(card);
  await shown(page.getByText('apiKey: process.env.KEY'));
  assert.equal(await statusOfPlayground(page), 200);
  await page.reload();
  await shown(page.getByText('apiKey: process.env.KEY'));
  await sendRequest(context.world, owner, { model: 'sandbox-small', tokens: 5, isMessages: false });
  await gone(card);
  const other = await context.signedIn(owner);
  await shown(other.page.getByRole('heading', { name: 'Recent changes', exact: true }));
  assert.equal(await other.page.getByRole('heading', { name: 'Get started', exact: true }).count(), 0);
}

async function run(context: CheckContext): Promise<void> {
  await showsFaultsOfSignUp(context);
  await showsFaultsInGerman(context);
  await endsFirstSteps(context);
}

export const firstSteps: Check = {
  number: 39, title: 'A form shows all its faults at once, in the page’s language and with the focus on the first; the first steps end with a request of an API client, not of the playground', run,
};
