import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { Keyboard } from '../driver/hand.js';
import { subjectsOf } from '../world/fixtures.js';
import type { Check, CheckContext } from './check.js';
import { heading, shown } from '../driver/page-states.js';
import { ownerPages } from '../pages/dashboard-pages.js';
import { explainsFirstCharge } from './first-run.js';
import { createsKeys, rotatesAndRevokes } from './keys.js';
import { managesMachine } from './machines.js';
import { actsOnAccount } from './operators.js';
import { managesWebhooks } from './webhooks.js';
import { noteGateway } from '../record/run-record.js';
import { findBarriers } from '../driver/watched-page.js';
import { CONDITIONS_OF_USUAL } from '../pictures/conditions.js';
import { openGallery } from '../pictures/gallery.js';
import { statesIn } from '../pictures/matrix.js';
import { pictureName, picturesOf } from '../pictures/state.js';
import { Visits, walk } from '../pictures/visits.js';

const MAX_STOPS = 300;

function isInMain(page: Page): Promise<boolean> {
  return page.evaluate(() => document.querySelector('main')?.contains(document.activeElement) === true);
}

async function skips(page: Page): Promise<void> {
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); });
  for (let stops = 0; !(await skip.evaluate((link) => link === document.activeElement)); stops += 1) {
    assert.ok(stops < MAX_STOPS, 'the way to the content cannot be reached');
    await page.keyboard.press('Shift+Tab');
  }
  assert.ok(((await skip.boundingBox())?.y ?? -1) >= 0, 'the link past the navigation is out of sight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await isInMain(page), 'behind the link past the navigation, Tab does not lead into the content');
}

/** Checks that Tab reaches the end of the page and leaves it. */
async function leavesPage(page: Page, path: string): Promise<void> {
  for (let stops = 0; stops === 0 || !(await isAtStart(page)); stops += 1) {
    assert.ok(stops < MAX_STOPS, `${path} is not left with Tab`);
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

async function needsNoMouse(context: CheckContext): Promise<void> {
  const handOf = (page: Page): Keyboard => new Keyboard(page);
  for (const path of [managesWebhooks, goesThroughPages, explainsFirstCharge, createsKeys, rotatesAndRevokes, actsOnAccount, managesMachine]) await path(context, handOf);
}

async function hasNoBarriers({ browser, record }: CheckContext): Promise<void> {
  const gallery = await openGallery();
  const found: string[] = [];
  try {
    const pictures = picturesOf(statesIn(CONDITIONS_OF_USUAL, gallery.examples));
    const failures = await walk(new Visits(browser, gallery, { record }), pictures, async ({ watched: { page, note }, ...picture }) => {
      found.push(...(await findBarriers(page)).map((barrier) => `${pictureName(picture)}: ${barrier}`));
      await note();
    });
    found.push(...[...failures].map(([name, why]) => `${name} could not be opened: ${why.split('\n')[0] ?? ''}`));
  } finally {
    noteGateway(record, 'the gallery', gallery.world);
    await gallery.world.close();
  }
  assert.ok(found.length === 0, found.join('\n'));
}

async function checksAccessibility(context: CheckContext): Promise<void> {
  await needsNoMouse(context);
  await hasNoBarriers(context);
}

export const accessiblePages: Check = { number: 22, title: 'Checks 1, 3, 6, 19, 26 and 28 pass with the keyboard alone, and axe-core finds nothing serious or critical on any page or in any open dialog, in both schemes and widths', run: checksAccessibility };

type Scheme = 'light' | 'dark';

const CASES: readonly (readonly [system: Scheme, stored: Scheme | null])[] = [
  ['light', null], ['light', 'light'], ['light', 'dark'], ['dark', null], ['dark', 'light'], ['dark', 'dark'],
];

/** Colour scheme of the first paint, before the module scripts arrive. */
async function firstBackground(page: Page): Promise<Scheme> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  await page.route('**/dashboard/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/sign-in', { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState !== 'loading' && document.documentElement.dataset['mantineColorScheme'] !== undefined);
  // The browser paints nothing until it has the stylesheets; until then the page has no background.
  await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor !== 'rgba(0, 0, 0, 0)');
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  release();
  await shown(heading(page));
  const [red = 0] = (/\d+/.exec(colour) ?? ['0']).map(Number);
  return red > 128 ? 'light' : 'dark';
}

async function paintsStoredScheme(context: CheckContext): Promise<void> {
  for (const [system, stored] of CASES) {
    const { page } = await context.page({ colorScheme: system });
    await page.addInitScript((scheme) => scheme !== null && localStorage.setItem('scheme', scheme), stored);
    assert.equal(await firstBackground(page), stored ?? system, `system ${system}, stored ${stored ?? 'nothing'}`);
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset['mantineColorScheme']), stored ?? system);
    await context.closePages();
  }
}

export const colourSchemes: Check = { number: 24, title: 'The first paint has the colours of the stored scheme, otherwise of the system’s', run: paintsStoredScheme };
