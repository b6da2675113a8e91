import { strict as assert } from 'node:assert';
import { later, MILLISECONDS_PER_DAY, rfc3339 } from '@tollgate/core';
import { heading, shown } from '../driver/page-states.js';
import type { Check, CheckContext } from './check.js';

const DAYS = 40;

/** Checks the pages about a credit that expires and one that does not. */
async function creditsUntilADay(context: CheckContext): Promise<void> {
  const owner = await context.owner({ credit: '20' });
  const own = await context.signedIn(owner);
  const { page } = await context.signedIn(await context.operator());
  await page.goto(`/dashboard/operator/accounts/${owner.accountId}`);
  await shown(heading(page));
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  const form = page.getByRole('dialog', { name: /^Credit/ });
  await form.getByLabel('Amount', { exact: true }).fill('0.03');
  await form.getByLabel('Reference').fill('order 34');
  await form.getByLabel('Reason').fill('A trial');
  await form.getByLabel('Expires on (optional)').fill('2020-01-01');
  await form.getByRole('button', { name: 'Credit $0.03' }).click();
  await shown(form.getByText('Choose today or a later day.'));
  const day = rfc3339(later(context.world.clock.now(), DAYS * MILLISECONDS_PER_DAY)).slice(0, 10);
  await form.getByLabel('Expires on (optional)').fill(day);
  await form.getByRole('button', { name: 'Credit $0.03' }).click();
  await shown(page.getByText('Credited $0.03 (30 service tokens).'));
  await shown(page.getByRole('region', { name: 'What is left of each credit' }).getByText('order 34'));
  await own.page.goto('/dashboard/billing');
  await shown(heading(own.page, 'Billing'));
  const rows = own.page.getByRole('region', { name: 'What is left of each credit' }).getByRole('row');
  await shown(rows.nth(1).getByText('order 34'));
  const [first, second] = [await rows.nth(1).innerText(), await rows.nth(2).innerText()];
  assert.equal([/\b30\b/.test(first), first.includes('Never'), second.includes('Never')].join(), 'true,false,true');
}

export const expiringCredit: Check = { number: 34, title: 'An operator credits until a day that is not over, and the owner sees on Billing what is left until then', run: creditsUntilADay };
