import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';

type Scheme = 'light' | 'dark';

/** What the system prefers, and what was chosen. */
const CASES: readonly (readonly [system: Scheme, stored: Scheme | null])[] = [
  ['light', null], ['light', 'light'], ['light', 'dark'], ['dark', null], ['dark', 'light'], ['dark', 'dark'],
];

/** Holds the module scripts back, so that the first paint is what stands without them. */
async function firstBackground(page: Page): Promise<Scheme> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  await page.route('**/dashboard/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/sign-in', { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState !== 'loading' && document.documentElement.dataset['mantineColorScheme'] !== undefined);
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  release();
  await shown(heading(page));
  const [red = 0] = (/\d+/.exec(colour) ?? ['0']).map(Number);
  return red > 128 ? 'light' : 'dark';
}

async function run(context: CheckContext): Promise<void> {
  for (const [system, stored] of CASES) {
    const { page } = await context.page({ colorScheme: system });
    await page.addInitScript((scheme) => scheme !== null && localStorage.setItem('scheme', scheme), stored);
    assert.equal(await firstBackground(page), stored ?? system, `system ${system}, stored ${stored ?? 'nothing'}`);
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset['mantineColorScheme']), stored ?? system);
    await context.closePages();
  }
}

export const colourSchemes: Check = { number: 24, title: 'The first paint has the colours of the stored scheme, or else of the system', run };
