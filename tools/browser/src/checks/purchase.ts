import { strict as assert } from 'node:assert';
import { MILLISECONDS_PER_DAY, Statements } from '@tollgate/core';
import type { Page } from 'playwright-core';
import { read } from '../driver/dashboard-api.js';
import { heading, shown } from '../driver/page-states.js';
import { signIn } from '../driver/watched-page.js';
import { oneTimeLink } from '../world/credentials.js';
import { PASSWORD, type Resident } from '../world/open-world.js';
import { assertContains, type Check, type CheckContext } from './check.js';

/** Days to advance so that another month has begun. */
const MONTH_DAYS = 33;

interface Offer {
  readonly packages: readonly { readonly name: string; readonly svc_tokens: string }[];
}

async function available(page: Page): Promise<string> {
  return (await read<{ readonly balance: { readonly available: { readonly svc_tokens: string } } }>(page, '/account')).balance.available.svc_tokens;
}

/** Buys credit as an owner would, from the balance to the receipt. */
async function buys(page: Page): Promise<string> {
  await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).first().click();
  await shown(heading(page, 'Billing'));
  const [offered] = (await read<Offer>(page, '/credit-offer')).packages;
  assert.ok(offered !== undefined, 'nothing is for sale');
  await page.getByRole('radio', { name: offered.name }).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await shown(heading(page, 'Simulated checkout'));
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await shown(heading(page, 'Payment'));
  await shown(page.getByText(/service tokens were added to your balance/));
  return offered.svc_tokens;
}

/** Checks that the pages show the new balance and the payment. */
async function seesBalance(page: Page, tokens: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Billing' }).click();
  await shown(heading(page, 'Billing'));
  assert.equal(await available(page), tokens);
  await shown(page.getByRole('region', { name: 'Balance' }).locator(`[data-amount="${tokens}"]`));
  await shown(page.getByRole('region', { name: 'Payments' }).getByText('Paid', { exact: true }));
  await shown(page.getByRole('region', { name: 'Credits, payments and corrections' }).getByText('Payment', { exact: true }));
}

/** Checks the statement of the month that has ended. The former address of statements opens the page Billing, which lists the statement. */
async function seesStatement({ world }: CheckContext, page: Page, { owner, tokens }: { readonly owner: Resident; readonly tokens: string }): Promise<void> {
  const month = new Date(world.clock.now()).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });
  world.clock.advance(MONTH_DAYS * MILLISECONDS_PER_DAY);
  const statements = world.gateway.container.get(Statements);
  while ((await statements.makeSome()).outcome === 'more');
  await signIn(page, owner.email, PASSWORD);
  await page.goto('/dashboard/statements');
  await shown(heading(page, 'Billing'));
  const row = page.getByRole('region', { name: 'Statements' });
  await shown(row.getByText(month));
  const begun = page.waitForEvent('download');
  await row.getByRole('link', { name: /^Download statement \d+ as CSV$/ }).last().click();
  const csv = await (await begun).createReadStream().then(async (stream) => {
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  });
  assertContains(csv, tokens, 'the statement');
}

async function newcomerBuys(context: CheckContext): Promise<void> {
  const owner = await context.owner({ credit: '0' });
  const { page } = await context.page();
  await page.goto(await oneTimeLink(context.world, owner));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shown(heading(page, 'Overview'));
  const tokens = await buys(page);
  await seesBalance(page, tokens);
  await seesStatement(context, page, { owner, tokens });
}

export const purchase: Check = {
  number: 30, title: 'A newcomer buys credit in the simulated checkout after a sign-in link, and sees the receipt, the balance and, a month later, the statement',
  run: (context) => context.apart(newcomerBuys, { environment: { SIGNUP_CREDIT: '0' } }),
};
