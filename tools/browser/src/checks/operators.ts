import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Resident, World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { operatorPages } from '../pages/dashboard-pages.js';
import { type Hand, mouse } from '../driver/hand.js';
import { subjectsOf } from '../world/fixtures.js';
import { until } from '../driver/wait.js';

/** Sends a request; resolves with its error code, `null` if it is served. */
async function refusalOf({ gateway }: World, { secret }: Pick<Resident, 'secret'>): Promise<string | null> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  const { error } = await response.json() as { readonly error?: { readonly code: string } };
  return error?.code ?? null;
}

async function schedulesDeletion(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  assert.equal(await refusalOf(world, owner), null);
  await page.goto('/dashboard/account?tab=deletion');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await shown(question.getByText('service tokens are lost.'));
  const confirm = question.getByRole('button', { name: 'Delete account' });
  await confirm.click();
  await shown(question.getByText('The text does not match.'));
  assert.equal(await refusalOf(world, owner), null);
  await question.getByLabel('Your e-mail address').fill(owner.email);
  await confirm.click();
  await gone(question);
  await shown(page.getByText(/Your account will be deleted on \d+ \w+/));
  assert.equal(await refusalOf(world, owner), 'account_inactive');
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'See deletion' }).click();
  await page.getByRole('button', { name: 'Cancel deletion' }).click();
  await shown(page.getByRole('button', { name: 'Delete account' }));
  assert.equal(await refusalOf(world, owner), null);
}

export const accountEnd: Check = { number: 17, title: 'An owner schedules the deletion of the account by typing its address, and cancels it', run: schedulesDeletion };

const REASON = 'Payment of October is missing.';

/** Credits 500 service tokens, which cost 0.001 dollars each. */
async function credit(page: Page, hand: Hand): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Credit', exact: true }));
  const form = page.getByRole('dialog', { name: /^Credit/ });
  await hand.opened(form);
  await hand.write(form.getByLabel('Amount', { exact: true }), '0.5');
  await hand.write(form.getByLabel('Reference'), 'invoice 7');
  await hand.write(form.getByLabel('Reason'), 'Paid by transfer');
  await hand.press(form.getByRole('button', { name: 'Credit $0.50' }));
  await hand.closed(form);
}

async function refund(page: Page, hand: Hand, requestId: string): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Refund', exact: true }));
  const form = page.getByRole('dialog', { name: /^Refund/ });
  await hand.opened(form);
  await hand.write(form.getByRole('combobox', { name: 'Request', exact: true }), requestId);
  await hand.write(form.getByLabel('Amount', { exact: true }), '0.00001');
  await hand.write(form.getByLabel('Reference'), 'refund 7');
  await hand.write(form.getByLabel('Reason'), 'A model answered badly');
  await hand.press(form.getByRole('button', { name: 'Refund $0.00001' }));
  await hand.closed(form);
}

async function choose(page: Page, hand: Hand, action: string): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'More', exact: true }));
  await hand.press(page.getByRole('menuitem', { name: action }));
}

async function suspend(page: Page, hand: Hand, email: string): Promise<void> {
  await choose(page, hand, 'Suspend account');
  const question = page.getByRole('dialog', { name: `Suspend ${email}?` });
  await hand.opened(question);
  await hand.press(question.getByRole('button', { name: 'Suspend account' }));
  await shown(question.getByText('Enter a reason. The owner sees it.'));
  await hand.write(question.getByLabel('Reason, shown to the owner'), REASON);
  await hand.press(question.getByRole('button', { name: 'Suspend account' }));
  await hand.closed(question);
}

export async function actsOnAccount(context: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const { world } = context;
  const owner = await context.owner({ credit: '1000' });
  const { requestId } = await subjectsOf(world, owner);
  const own = await context.signedIn(owner);
  const { page } = await context.signedIn(await context.operator());
  const hand = handOf(page);
  await page.goto('/dashboard/operator/accounts');
  await hand.write(page.getByRole('searchbox', { name: /^Search by name/ }), owner.email);
  await page.keyboard.press('Enter');
  await hand.press(page.getByRole('link', { name: owner.email }).first());
  await shown(heading(page));
  await credit(page, hand);
  await shown(page.getByText('Credited $0.50 (500 service tokens).'));
  await credit(page, hand);
  await shown(page.getByText(/Already credited .*Nothing was changed\./));
  await refund(page, hand, requestId);
  await shown(page.getByText('Refunded $0.00001 (0.01 service tokens).'));
  await suspend(page, hand, owner.email);
  assert.equal(await refusalOf(world, owner), 'account_inactive');
  await own.page.goto('/dashboard/overview');
  await shown(own.page.getByText(REASON));
  await choose(page, hand, 'Reactivate account');
  const question = page.getByRole('dialog', { name: `Reactivate ${owner.email}?` });
  await hand.opened(question);
  await hand.press(question.getByRole('button', { name: 'Reactivate account' }));
  await hand.closed(question);
  assert.equal(await refusalOf(world, owner), null);
  await own.page.reload();
  await shown(heading(own.page, 'Overview'));
  assert.equal(await own.page.getByText(REASON).count(), 0);
}

export const operatorsDay: Check = { number: 19, title: 'An operator credits once per reference, refunds, suspends with a reason that the owner sees, and reactivates', run: (context) => actsOnAccount(context, () => mouse) };

async function answerAt(page: Page, path: string): Promise<string> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page, 'Not found'));
  return `${await page.title()}\n${await page.getByRole('main').innerHTML()}`;
}

async function findsNothing(context: CheckContext): Promise<void> {
  const [owner, other] = [await context.owner(), await context.owner()];
  const { page } = await context.signedIn(owner);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  const unknown = await answerAt(page, '/no-such-page');
  for (const path of [...operatorPages(other.accountId), '/operator', '/operator/no-such-page']) assert.equal(await answerAt(page, path), unknown, `${path} differs from an unknown page`);
  assert.deepEqual(asked.filter((path) => path.startsWith('/dashboard/api/operator')), [], 'the page of an owner asks for nothing of operators');
  assert.deepEqual(asked.filter((path) => path.includes('/assets/') && /operator|live|accounts|incidents|machines|books|audit|upstreams|mail/.test(path)), [], 'no page of operators is loaded');
  const navigation = page.getByRole('navigation');
  assert.equal(await navigation.filter({ hasText: 'Upstreams' }).count(), 0);
}

export const hiddenPages: Check = { number: 18, title: 'An owner gets the page “not found” at every operator address, and no operator data or code is loaded', run: findsNothing };

const WITHIN_MILLISECONDS = 5_000;
const MESSAGE = 'We move to larger machines.';
const MODEL = 'sandbox-small';
const LIMIT_MINUTES = 30;

/** The part of the preview that shows the owner's text. */
async function promisedIn(form: Locator, text: string): Promise<string> {
  const preview = form.getByText(text, { exact: false }).last();
  await until('the preview', async () => (await preview.count()) > 0 && (await preview.innerText()).includes(text));
  return (await preview.innerText()).trim();
}

/** Submits a form; waits up to five seconds until the owner's page shows the announced text. */
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

/** Ends maintenance or an incident limit; waits up to five seconds until the owner's page no longer shows it. */
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

/** A time in the form of `datetime-local` inputs; the browsers run in UTC. */
function fieldTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16);
}

/** Limits a model; resolves with the banner on the owner's page. */
async function limit(page: Page, own: Page, { requests, expires }: { readonly requests: string; readonly expires: string }): Promise<Locator> {
  await page.getByRole('button', { name: 'Limit a model' }).click();
  const form = page.getByRole('dialog', { name: 'Limit a model' });
  await form.getByLabel('Model').click();
  await page.getByRole('option', { name: 'Sandbox Small' }).click();
  await form.getByLabel('Expires').fill(expires);
  // From here on, the form is valid and shows a preview.
  await form.getByLabel('Requests a minute').fill(requests);
  return announce({ page, own, form, action: 'Set limit', text: `The model ${MODEL} is limited for now: ${requests} requests a minute.` });
}

/** Checks one limit that expires, and another that the operator ends. */
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

export const announcements: Check = { number: 20, title: 'Owners see maintenance and the limit of a model within five seconds, worded as in the preview, and also when they end', run };
