import { strict as assert } from 'node:assert';
import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Locator, Page } from 'playwright-core';
import { read } from '../driver/dashboard-api.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import type { Check, CheckContext } from './check.js';

/** Threshold that the balance reaches by two charges, after the purchase that saved the payment method. */
const THRESHOLD = '12000';
const PACKAGE_TOKENS = 5_000;

interface TopUp {
  readonly enabled: boolean;
  readonly declines: number;
  readonly charges_today: number;
  readonly next_try_at: string | null;
  readonly last_charge: { readonly state: string } | null;
}

async function openBilling(page: Page): Promise<Locator> {
  await page.goto('/dashboard/billing');
  await shown(heading(page, 'Billing'));
  return page.getByRole('region', { name: 'Automatic top-up' });
}

/** Buys the smallest package in the simulated checkout, which then keeps the payment method. */
async function savesMethod(page: Page, act: string): Promise<void> {
  const card = await openBilling(page);
  await shown(card.getByText('No payment method is saved yet.', { exact: false }));
  await page.getByRole('checkbox', { name: 'Save the payment method' }).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await shown(heading(page, 'Simulated checkout'));
  await page.getByRole('button', { name: act, exact: true }).click();
  await shown(page.getByText(/service tokens were added to your balance/));
}

/** Switches automatic top-up on; a first attempt lacks the threshold. */
async function switchesOn(page: Page): Promise<Locator> {
  const card = await openBilling(page);
  await card.getByLabel('Charges a day at most').fill('5');
  await card.getByLabel('Amount a month at most, in USD').fill('50');
  await card.getByRole('button', { name: 'Switch on' }).click();
  await shown(card.getByRole('textbox', { name: 'Charge below a balance of' }).and(card.locator('[aria-invalid="true"]')));
  await card.getByLabel('Charge below a balance of').fill(THRESHOLD);
  await card.getByRole('button', { name: 'Switch on' }).click();
  await shown(page.getByText('Automatic top-up is on', { exact: true }));
  return card;
}

/** Waits until the background task has changed the state of automatic top-up as `isOver` requires. */
async function charged(page: Page, isOver: (topUp: TopUp) => boolean): Promise<TopUp> {
  return until('a charge of the saved method', async () => {
    const topUp = await read<TopUp>(page, '/automatic-top-up');
    return isOver(topUp) ? topUp : null;
  }, 40_000);
}

async function chargesAndStops(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner({ credit: '0' }));
  await savesMethod(page, 'Pay');
  const card = await switchesOn(page);
  const { last_charge: last } = await charged(page, ({ charges_today: charges, next_try_at: next }) => charges === 2 && next === null);
  assert.equal(last?.state, 'paid');
  await shown(card.getByText('2 of at most 5'));
  await shown(card.getByText('On: nothing is charged until the balance falls below the threshold.'));
  assert.equal((await read<{ readonly balance: { readonly available: { readonly svc_tokens: string } } }>(page, '/account')).balance.available.svc_tokens, String(3 * PACKAGE_TOKENS));
  await card.getByRole('button', { name: 'Switch off' }).click();
  await shown(card.getByText('Off', { exact: true }));
  await gone(card.getByRole('button', { name: 'Switch off' }));
}

/** Checks that the third decline in a row switches automatic top-up off. The second attempt follows after an hour, the third after a day. */
async function endsAfterDeclines(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner({ credit: '0' }));
  await savesMethod(page, 'Pay with a method that is declined later');
  const card = await switchesOn(page);
  for (const [declines, pause] of [[1, MILLISECONDS_PER_HOUR], [2, MILLISECONDS_PER_DAY]] as const) {
    await charged(page, (topUp) => topUp.declines === declines);
    context.world.clock.advance(pause);
  }
  await charged(page, ({ enabled }) => !enabled);
  await openBilling(page);
  await shown(card.getByText('Switched off: three charges in a row were declined.'));
  await shown(card.getByText('Failed', { exact: true }));
}

async function topsUp(context: CheckContext): Promise<void> {
  await chargesAndStops(context);
  await endsAfterDeclines(context);
}

export const automaticTopUp: Check = {
  number: 43, title: 'Automatic top-up charges a saved method until the balance is at the threshold, ends after three declines in a row, and stops when it is switched off',
  run: (context) => context.apart(topsUp, { environment: { SIGNUP_CREDIT: '0' } }),
};
