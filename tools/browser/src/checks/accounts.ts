import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Resident, World } from '../world/open-world.js';
import { type Check, type CheckContext, gone, heading, shown } from './check.js';
import { type Hand, mouse } from '../driver/hand.js';
import { subjectsOf } from '../world/records.js';
import { operatorPages } from './pages.js';

/** The code of the answer to a small request; `null` where it is served. */
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
  await shown(question.getByText('This is not the same text.'));
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

/** Credits 500 with a reference that is used twice. */
async function credit(page: Page, hand: Hand): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Credit', exact: true }));
  const form = page.getByRole('dialog', { name: /^Credit/ });
  await hand.opened(form);
  await hand.write(form.getByLabel('Service tokens', { exact: true }), '500');
  await hand.write(form.getByLabel('Reference'), 'invoice 7');
  await hand.write(form.getByLabel('Reason'), 'Paid by transfer');
  await hand.press(form.getByRole('button', { name: 'Credit 500' }));
  await hand.closed(form);
}

async function refund(page: Page, hand: Hand, requestId: string): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Refund', exact: true }));
  const form = page.getByRole('dialog', { name: /^Refund/ });
  await hand.opened(form);
  await hand.write(form.getByLabel('Request id'), requestId);
  await hand.write(form.getByLabel('Service tokens', { exact: true }), '0.01');
  await hand.write(form.getByLabel('Reference'), 'refund 7');
  await hand.write(form.getByLabel('Reason'), 'A model answered badly');
  await hand.press(form.getByRole('button', { name: 'Refund 0.01' }));
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
  await shown(question.getByText('Say why: the owner reads it.'));
  await hand.write(question.getByLabel('Reason, shown to the owner'), REASON);
  await hand.press(question.getByRole('button', { name: 'Suspend account' }));
  await hand.closed(question);
}

/** Moves money of an account, suspends it and lets it in again. */
export async function actsOnAccount(context: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const { world } = context;
  const owner = await context.owner({ credit: '1000' });
  const { requestId } = await subjectsOf(world, owner);
  const own = await context.signedIn(owner);
  const { page } = await context.signedIn(await context.operator());
  const hand = handOf(page);
  await page.goto('/dashboard/operator/accounts');
  await hand.write(page.getByRole('searchbox', { name: /^Search by e-mail/ }), owner.email);
  await page.keyboard.press('Enter');
  await hand.press(page.getByRole('link', { name: owner.email }).first());
  await shown(heading(page));
  await credit(page, hand);
  await shown(page.getByText('Credited 500.'));
  await credit(page, hand);
  await shown(page.getByText(/Already credited .*Nothing was changed\./));
  await refund(page, hand, requestId);
  await shown(page.getByText('Refunded 0.01.'));
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

export const operatorsDay: Check = { number: 19, title: 'An operator credits once by a reference, refunds, suspends with a reason that the owner reads, and reactivates', run: (context) => actsOnAccount(context, () => mouse) };

/** What an owner sees at an address that does not exist. */
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
  assert.deepEqual(asked.filter((path) => path.includes('/assets/') && /operator|live|accounts|incidents|books|audit|upstreams|mail/.test(path)), [], 'no page of operators is loaded');
  const navigation = page.getByRole('navigation');
  assert.equal(await navigation.filter({ hasText: 'Upstreams' }).count(), 0);
}

export const hiddenPages: Check = { number: 18, title: 'An owner finds at every address of operators what stands at an unknown one', run: findsNothing };
