import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Page } from 'playwright-core';
import { oneTimeLink } from '../world/one-time-link.js';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';

const SECOND = 1_000;

/** Opens a link and presses its button. */
async function follow(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A link that is good for nothing says so, and leaves the browser without a session. */
async function expectRefusal(page: Page, link: string): Promise<void> {
  await follow(page, link);
  await shown(page.getByRole('status').filter({ hasText: 'This link no longer works' }));
  await page.goto('/dashboard/overview');
  await page.waitForURL(/\/dashboard\/sign-in/);
}

async function run(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const link = await oneTimeLink(world, owner);
  const { page } = await context.page();
  await follow(page, link);
  await shown(heading(page, 'Overview'));
  if (page.url().includes('token')) throw new Error('the token stays in the address');
  await expectRefusal((await context.page()).page, link);
  const late = await oneTimeLink(world, owner);
  world.clock.advance(MILLISECONDS_PER_HOUR + SECOND);
  await expectRefusal((await context.page()).page, late);
}

export const signInLink: Check = { number: 2, title: 'A sign-in link works once, not after an hour, and not in a second browser', run };
