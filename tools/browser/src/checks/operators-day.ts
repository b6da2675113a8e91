import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { subjectsOf } from '../world/subjects.js';
import { refusalOf } from './account-end.js';
import type { Check } from './check.js';
import { type CheckContext, gone, heading, shown } from './check-context.js';

const REASON = 'Payment of October is missing.';

/** Credits 500 with a reference that is used twice. */
async function credit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  const form = page.getByRole('dialog', { name: /^Credit/ });
  await form.getByLabel('Service tokens', { exact: true }).fill('500');
  await form.getByLabel('Reference').fill('invoice 7');
  await form.getByLabel('Reason').fill('Paid by transfer');
  await form.getByRole('button', { name: 'Credit 500' }).click();
  await gone(form);
}

async function refund(page: Page, requestId: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const form = page.getByRole('dialog', { name: /^Refund/ });
  await form.getByLabel('Request id').fill(requestId);
  await form.getByLabel('Service tokens', { exact: true }).fill('0.01');
  await form.getByLabel('Reference').fill('refund 7');
  await form.getByLabel('Reason').fill('A model answered badly');
  await form.getByRole('button', { name: 'Refund 0.01' }).click();
  await gone(form);
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function suspend(page: Page, email: string): Promise<void> {
  await choose(page, 'Suspend account');
  const question = page.getByRole('dialog', { name: `Suspend ${email}?` });
  await question.getByRole('button', { name: 'Suspend account' }).click();
  await shown(question.getByText('Say why: the owner reads it.'));
  await question.getByLabel('Reason, shown to the owner').fill(REASON);
  await question.getByRole('button', { name: 'Suspend account' }).click();
  await gone(question);
}

async function run(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner({ credit: '1000' });
  const { requestId } = await subjectsOf(world, owner);
  const own = await context.signedIn(owner);
  const { page } = await context.signedIn(await context.operator());
  await page.goto('/dashboard/operator/accounts');
  await page.getByRole('searchbox', { name: /^Search by e-mail/ }).fill(owner.email);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: owner.email }).first().click();
  await shown(heading(page));
  await credit(page);
  await shown(page.getByText('Credited 500.'));
  await credit(page);
  await shown(page.getByText(/Already credited .*Nothing was changed\./));
  await refund(page, requestId);
  await shown(page.getByText('Refunded 0.01.'));
  await suspend(page, owner.email);
  assert.equal(await refusalOf(world, owner), 'account_inactive');
  await own.page.goto('/dashboard/overview');
  await shown(own.page.getByText(REASON));
  await choose(page, 'Reactivate account');
  const question = page.getByRole('dialog', { name: `Reactivate ${owner.email}?` });
  await question.getByRole('button', { name: 'Reactivate account' }).click();
  await gone(question);
  assert.equal(await refusalOf(world, owner), null);
  await own.page.reload();
  await shown(heading(own.page, 'Overview'));
  assert.equal(await own.page.getByText(REASON).count(), 0);
}

export const operatorsDay: Check = { number: 19, title: 'An operator credits once by a reference, refunds, suspends with a reason that the owner reads, and reactivates', run };
