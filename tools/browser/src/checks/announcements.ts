import { strict as assert } from 'node:assert';
import { until } from '../driver/wait.js';
import type { Check } from './check.js';
import { type CheckContext, gone, heading, shown } from './check-context.js';

const WITHIN_MILLISECONDS = 5_000;
const MESSAGE = 'We move to larger machines.';

async function run(context: CheckContext): Promise<void> {
  const own = await context.signedIn(await context.owner());
  const { page } = await context.signedIn(await context.operator());
  await page.goto('/dashboard/operator/incidents');
  await page.getByRole('button', { name: 'Start maintenance' }).first().click();
  const form = page.getByRole('dialog', { name: /^Start maintenance/ });
  await form.getByLabel('Message to owners').fill(MESSAGE);
  const preview = form.getByText(MESSAGE, { exact: false }).last();
  await until('the preview', async () => (await preview.innerText()).includes(MESSAGE));
  const promised = (await preview.innerText()).trim();
  const begun = page.waitForResponse((response) => response.request().method() !== 'GET' && response.url().includes('/maintenance') && !response.url().includes('preview'));
  await form.getByRole('button', { name: 'Start maintenance' }).click();
  await begun;
  const banner = own.page.getByRole('status').filter({ hasText: MESSAGE });
  await banner.first().waitFor({ state: 'visible', timeout: WITHIN_MILLISECONDS });
  assert.ok((await banner.first().innerText()).includes(promised), 'the banner is not what the preview promised');
  await gone(form);
  await page.getByRole('button', { name: 'End maintenance' }).first().click();
  const question = page.getByRole('dialog', { name: 'End maintenance?' });
  await question.getByRole('button', { name: 'End maintenance' }).click();
  await gone(question);
  await banner.first().waitFor({ state: 'hidden', timeout: WITHIN_MILLISECONDS });
  await shown(heading(own.page));
}

export const announcements: Check = { number: 20, title: 'Owners read a maintenance within five seconds, in the words of its preview, and its end too', run };
