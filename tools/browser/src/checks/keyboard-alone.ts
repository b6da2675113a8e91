import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { Keyboard } from '../driver/hand.js';
import { subjectsOf } from '../world/subjects.js';
import { type CheckContext, heading, shown } from './check-context.js';
import { explainsFirstCharge } from './first-run.js';
import { rotatesAndRevokes } from './key-life.js';
import { createsKeys } from './key-secrets.js';
import { actsOnAccount } from './operators-day.js';
import { ownerPages } from './pages.js';

/** More than any page has. */
const MOST_STOPS = 300;

function isInMain(page: Page): Promise<boolean> {
  return page.evaluate(() => document.querySelector('main')?.contains(document.activeElement) === true);
}

/** The link before all others leads past the navigation. */
async function skips(page: Page): Promise<void> {
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); });
  for (let stops = 0; !(await skip.evaluate((link) => link === document.activeElement)); stops += 1) {
    assert.ok(stops < MOST_STOPS, 'the way to the content cannot be reached');
    await page.keyboard.press('Shift+Tab');
  }
  assert.ok(((await skip.boundingBox())?.y ?? -1) >= 0, 'the link past the navigation is out of sight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await isInMain(page), 'behind the link past the navigation, Tab does not lead into the content');
}

/** Tab leads over the whole page and out of it. */
async function leavesPage(page: Page, path: string): Promise<void> {
  for (let stops = 0; stops === 0 || !(await isAtStart(page)); stops += 1) {
    assert.ok(stops < MOST_STOPS, `${path} is not left with Tab`);
    await page.keyboard.press('Tab');
  }
}

function isAtStart(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement === document.body || document.activeElement?.textContent === 'Skip to content');
}

async function goesThroughPages(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const subjects = await subjectsOf(context.world, owner);
  const { page } = await context.signedIn(owner);
  for (const path of ownerPages(subjects)) {
    await page.goto(`/dashboard${path}`);
    await shown(heading(page));
    await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
    await leavesPage(page, path);
  }
  await skips(page);
}

/** What checks 1, 3, 6 and 19 do, with the keyboard alone. */
export async function needsNoMouse(context: CheckContext): Promise<void> {
  const handOf = (page: Page): Keyboard => new Keyboard(page);
  for (const path of [goesThroughPages, explainsFirstCharge, createsKeys, rotatesAndRevokes, actsOnAccount]) await path(context, handOf);
}
