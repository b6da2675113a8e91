import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import type { WatchedPage } from '../driver/watched-page.js';
import { subjectsOf } from '../world/subjects.js';
import type { Check } from './check.js';
import { assertContains, type CheckContext, gone, heading, shown } from './check-context.js';
import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from './pages.js';

/** Opens a page, and waits until it has said what it is and asked for what it shows. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page));
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
}

/** Opens what lies over pages: search, menu, shortcuts. */
async function openOverlays(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog').getByRole('textbox');
  await search.fill('Usage');
  await page.keyboard.press('Escape');
  await gone(search);
  await page.getByRole('button', { name: /^Person:/ }).click();
  await page.getByRole('menuitemradio', { name: /^Dark/ }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+?');
  await shown(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  await page.keyboard.press('Escape');
}

async function visitAll(watched: WatchedPage, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await visit(watched.page, path);
    assert.equal(await watched.styleElements(), 0, `${path} has style elements`);
  }
}

/** That Trusted Types are on: a string can be no markup. */
async function assertTrustedTypes(page: Page): Promise<void> {
  const refused = await page.evaluate(() => {
    try {
      document.createElement('div').innerHTML = '<b>text</b>';
      return false;
    } catch (error) {
      return error instanceof TypeError;
    }
  });
  assert.ok(refused, 'a string was taken as markup');
}

async function run(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const subjects = await subjectsOf(context.world, owner);
  const stranger = await context.page();
  await visitAll(stranger, ENTRY_PAGES.filter((path) => path !== '/two-factor'));
  const own = await context.signedIn(owner);
  await visitAll(own, [...ownerPages(subjects), ...ACCOUNT_TABS.map((tab) => `/account?tab=${tab}`), `/usage?record=${subjects.requestId}`]);
  await openOverlays(own.page);
  const operator = await context.signedIn(await context.operator());
  await visitAll(operator, [...operatorPages(owner.accountId, subjects.requestId), ...OPERATOR_ACCOUNT_TABS.map((tab) => `/operator/accounts/${owner.accountId}?tab=${tab}`)]);
  const response = await stranger.page.goto('/dashboard/sign-in');
  const policy = response?.headers()['content-security-policy'] ?? '';
  for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'"]) assertContains(policy, directive, 'the policy');
  await context.closePages();
  const { violations, foreign, errors } = context.noticed;
  assert.deepEqual({ violations, foreign, errors }, { violations: [], foreign: [], errors: [] });
  const probe = await context.page();
  await probe.page.goto('/dashboard/sign-in');
  await assertTrustedTypes(probe.page);
  // The probe broke the policy on purpose, and shows that breaches are noticed.
  await until('the breach of the policy to be noticed', () => probe.notices.violations.splice(0).some((violation) => violation.startsWith('require-trusted-types-for')));
}

export const strictPolicy: Check = { number: 23, title: 'No page breaks the content security policy, has a style element, or asks another origin, in the whole run', run };
