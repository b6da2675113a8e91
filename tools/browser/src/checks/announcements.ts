import { strict as assert } from 'node:assert';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Locator, Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { type Check, type CheckContext, gone, heading, shown } from './check.js';

const WITHIN_MILLISECONDS = 5_000;
const MESSAGE = 'We move to larger machines.';
const MODEL = 'sandbox-small';
const LIMIT_MINUTES = 30;

/** What owners are promised to read, once the preview has this text. */
async function promisedIn(form: Locator, text: string): Promise<string> {
  const preview = form.getByText(text, { exact: false }).last();
  await until('the preview', async () => (await preview.count()) > 0 && (await preview.innerText()).includes(text));
  return (await preview.innerText()).trim();
}

/** Sends a form, and waits until the owner reads what was promised, within five seconds. */
async function announce({ page, own, form, action, text }: { readonly page: Page; readonly own: Page; readonly form: Locator; readonly action: string; readonly text: string }): Promise<Locator> {
  const promised = await promisedIn(form, text);
  const begun = page.waitForResponse((response) => response.request().method() !== 'GET' && /maintenance|incident-limits/.test(response.url()) && !response.url().includes('preview'));
  await form.getByRole('button', { name: action }).click();
  assert.ok((await begun).ok(), `${action}: the gateway refused it`);
  const banner = own.getByRole('status').filter({ hasText: text }).first();
  await banner.waitFor({ state: 'visible', timeout: WITHIN_MILLISECONDS });
  assert.equal((await banner.innerText()).trim(), promised, 'the banner is not what the preview promised');
  await gone(form);
  return banner;
}

/** Ends what was announced, and waits until the owner no longer reads it, within five seconds. */
async function lift(page: Page, action: string, banner: Locator): Promise<void> {
  await page.getByRole('button', { name: action }).first().click();
  const question = page.getByRole('dialog', { name: new RegExp(`^${action}|^End the limit`) });
  await question.getByRole('button', { name: action }).click();
  await gone(question);
  await banner.waitFor({ state: 'hidden', timeout: WITHIN_MILLISECONDS });
}

async function maintains(page: Page, own: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start maintenance' }).first().click();
  const form = page.getByRole('dialog', { name: /^Start maintenance/ });
  await form.getByLabel('Message to owners').fill(MESSAGE);
  const banner = await announce({ page, own, form, action: 'Start maintenance', text: MESSAGE });
  await lift(page, 'End maintenance', banner);
}

/** A time as a field for date and time has it; the browsers of the checks are in UTC. */
function fieldTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16);
}

/** Limits the requests to a model. Resolves with the owner's banner. */
async function limit(page: Page, own: Page, { requests, expires }: { readonly requests: string; readonly expires: string }): Promise<Locator> {
  await page.getByRole('button', { name: 'Limit a model' }).click();
  const form = page.getByRole('dialog', { name: 'Limit a model' });
  await form.getByLabel('Model').click();
  await page.getByRole('option', { name: MODEL }).click();
  await form.getByLabel('Expires').fill(expires);
  // From here on the form is complete, and has a preview.
  await form.getByLabel('Requests a minute').fill(requests);
  return announce({ page, own, form, action: 'Set limit', text: `The model ${MODEL} is limited for now: ${requests} requests a minute.` });
}

/** One limit runs out, and another one is ended by hand. */
async function limits({ world: { clock } }: CheckContext, page: Page, own: Page): Promise<void> {
  const expiring = await limit(page, own, { requests: '20', expires: fieldTime(clock.now() + LIMIT_MINUTES * MILLISECONDS_PER_MINUTE) });
  assert.match(await expiring.innerText(), /^Until \d+ \w+, \d\d:\d\d\. /);
  clock.advance(LIMIT_MINUTES * MILLISECONDS_PER_MINUTE);
  await expiring.waitFor({ state: 'hidden', timeout: WITHIN_MILLISECONDS });
  const lifted = await limit(page, own, { requests: '30', expires: '' });
  await lift(page, 'End limit', lifted);
}

async function run(context: CheckContext): Promise<void> {
  const own = await context.signedIn(await context.owner());
  const { page } = await context.signedIn(await context.operator());
  await page.goto('/dashboard/operator/incidents');
  await maintains(page, own.page);
  await limits(context, page, own.page);
  await shown(heading(own.page));
}

export const announcements: Check = { number: 20, title: 'Owners read a maintenance, and the limit of a model, within five seconds, in the words of the preview, and its end too', run };
