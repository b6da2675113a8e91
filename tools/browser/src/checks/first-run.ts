import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { Clicks, type Hand, mouse } from '../driver/hand.js';
import { runCurl } from './copied-code.js';
import { noteGateway } from '../record/run-record.js';
import { mailedLink } from '../world/credentials.js';
import { PASSWORD } from '../world/open-world.js';
import { StartedProgram } from '../world/started-program.js';
import { type Check, type CheckContext, heading, shown } from './check.js';
import { exactAmounts } from './amount-places.js';

const CLICKS_BY_LINK = 4;
const CLICKS_BY_SIGN_UP = 6;
const KEY = /\bsk-[\w-]{20,}/g;

type HandOf = (page: Page) => Hand;

/** The explained charge of a request: its lines, and the sum that was debited. */
async function assertExplained(page: Page): Promise<void> {
  await page.waitForURL(/\/dashboard\/(usage|operator\/usage)\/req_/);
  const charge = page.getByRole('region', { name: 'Charge' });
  await shown(charge.getByText('Debited'));
  assert.ok((await exactAmounts(charge)).length > 2, 'the charge has no lines');
}

/** From the link of the first start to the charge of the first request. */
async function byLink(check: CheckContext, handOf: HandOf): Promise<number> {
  const program = await StartedProgram.start();
  try {
    const { page } = await check.pageAt(new URL(program.signInLink).origin);
    const clicks = new Clicks(handOf(page));
    await page.goto(program.signInLink);
    await clicks.on(page.getByRole('button', { name: 'Sign in', exact: true }));
    await clicks.on(page.getByRole('link', { name: 'Try a model' }).first());
    await shown(heading(page, 'Playground'));
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await clicks.on(send);
    await clicks.on(page.getByRole('link', { name: 'View charge' }));
    await assertExplained(page);
    await check.closePages();
    return clicks.made;
  } finally {
    for (const [key] of program.printed.matchAll(KEY)) check.record.addSecret('key', key);
    noteGateway(check.record, 'the started program', program);
    await program.stop();
  }
}

/** From sign-up by mail to the charge of a request with a key of one's own. */
async function bySignUp(check: CheckContext, handOf: HandOf): Promise<number> {
  const email = 'newcomer@example.com';
  const { page } = await check.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  const hand = handOf(page);
  const clicks = new Clicks(hand);
  await page.goto('/dashboard/sign-up');
  await hand.write(page.getByLabel('E-mail'), email);
  await hand.write(page.getByLabel('Name', { exact: true }), 'Newcomer');
  await hand.write(page.getByLabel('Password', { exact: true }), PASSWORD);
  await clicks.on(page.getByRole('button', { name: 'Create account' }));
  await shown(page.getByText(`We sent a link to ${email}`));
  await page.goto(await mailedLink(check.world, email, 'verify'));
  await hand.write(page.getByLabel('Password', { exact: true }), PASSWORD);
  await clicks.on(page.getByRole('button', { name: 'Confirm address' }));
  await shown(heading(page, 'Overview'));
  await clicks.on(page.getByRole('link', { name: 'Create key' }).first());
  const form = page.getByRole('dialog', { name: 'Create key' });
  await hand.followed(form);
  assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'first key');
  await clicks.on(form.getByRole('button', { name: 'Create', exact: true }));
  const issued = page.getByRole('dialog', { name: 'Key “first key” created' });
  await hand.followed(issued);
  await clicks.on(issued.getByRole('button', { name: 'Copy command' }));
  await shown(issued.getByRole('button', { name: 'Copied' }));
  const response = await runCurl(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(response.status, 200, await response.clone().text());
  await clicks.on(issued.getByRole('link', { name: 'View charge' }));
  await assertExplained(page);
  return clicks.made;
}

/** Both ways to the first charge. */
export async function explainsFirstCharge(check: CheckContext, handOf: HandOf): Promise<void> {
  assert.equal(await byLink(check, handOf), CLICKS_BY_LINK);
  assert.equal(await bySignUp(check, handOf), CLICKS_BY_SIGN_UP);
}

export const firstRun: Check = { number: 1, title: 'The first charge is explained four clicks after the first start, and six after a sign-up begins', run: (check) => explainsFirstCharge(check, () => mouse) };
