import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { visit } from '../driver/page-states.js';
import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../pages/dashboard-pages.js';
import { subjectsOf } from '../world/fixtures.js';
import type { Check, CheckContext } from './check.js';

/** Words of the code for which pages use words that people know better. */
const FORMER_WORDS = /\b(?:Books|Ending|Standing|Circuit|Chain of hashes|Blocklists|Debited|Uncached|Prompt tokens|Client left|Provider failed)\b/i;

/** Headings that skip a level: each is more than one level below the heading before. */
async function skippedLevels(page: Page): Promise<readonly string[]> {
  const headings = await page.getByRole('heading').evaluateAll((found) => found.map((one) => ({ level: Number(/\d/.exec(one.tagName)?.[0] ?? 0), text: one.textContent })));
  return headings.flatMap(({ level, text }, index) => (level > (headings[index - 1]?.level ?? 0) + 1 ? [`${text} (level ${level})`] : []));
}

async function faultsOf(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    await visit(page, path);
    faults.push(...(await skippedLevels(page)).map((heading) => `${path} skips a level before ${heading}`));
    // The reference may have these words, because it names the fields of the API.
    const [word] = path === '/reference' ? [] : FORMER_WORDS.exec(await page.locator('body').innerText()) ?? [];
    if (word !== undefined) faults.push(`${path} has the word ${word}`);
  }
  return faults;
}

async function readsWell(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const subjects = await subjectsOf(context.world, owner);
  const [stranger, own, theirs] = [await context.page(), await context.signedIn(owner), await context.signedIn(await context.operator())];
  const account = `/operator/accounts/${owner.accountId}`;
  const faults = [
    ...await faultsOf(stranger.page, ENTRY_PAGES.filter((path) => path !== '/two-factor')),
    ...await faultsOf(own.page, [...ownerPages(subjects), ...ACCOUNT_TABS.map((tab) => `/account?tab=${tab}`), `/usage?record=${subjects.requestId}`]),
    ...await faultsOf(theirs.page, [...operatorPages(owner.accountId, subjects.requestId), ...OPERATOR_ACCOUNT_TABS.map((tab) => `${account}?tab=${tab}`)]),
  ];
  assert.ok(faults.length === 0, faults.join('\n'));
}

export const pageStructure: Check = {
  number: 50, title: 'On every page the headings descend one level at a time, and no word from the code replaces the one that people use', run: readsWell,
};
