import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { gone, shown, visit } from '../driver/page-states.js';
import { sendRequest } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

const WIDTHS = [1024, 1920] as const;
const HEIGHT = 900;
const WIDEST = 1600;

function headings(page: Page): Promise<readonly string[]> {
  return page.getByRole('table', { name: 'Requests' }).getByRole('columnheader').allInnerTexts();
}

/** Checks that the table names the columns that it leaves out in a narrow window. */
async function saysWhatIsCut(page: Page): Promise<void> {
  const cut = /^Not shown for lack of width: (.*)\.$/.exec(await page.getByText(/^Not shown for lack of width/).innerText())?.[1] ?? '';
  const left = await headings(page);
  assert.ok(cut !== '' && cut.split(', ').every((name) => !left.includes(name)), `${cut} is not among ${left.join(', ')}`);
}

/** Checks that chosen columns survive a reload, and that the person can return to automatic ones. */
async function choosesColumns(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: /: Requests$/ });
  await menu.click();
  await page.getByRole('checkbox', { name: 'Duration' }).uncheck();
  await page.keyboard.press('Escape');
  await gone(page.getByRole('columnheader', { name: 'Duration' }));
  await page.reload();
  await shown(page.getByRole('table', { name: 'Requests' }));
  assert.ok(!(await headings(page)).includes('Duration'), 'the choice is kept');
  await menu.click();
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await page.keyboard.press('Escape');
  await shown(page.getByRole('columnheader', { name: 'Duration' }));
}

async function opensRow(page: Page): Promise<void> {
  const opener = page.getByRole('table', { name: 'Requests' }).locator('[data-row-link]').first();
  assert.equal(await opener.getAttribute('aria-expanded'), 'false');
  await opener.click();
  await shown(page.getByRole('region', { name: 'Charge' }));
  assert.equal(await opener.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Escape');
  await gone(page.getByRole('region', { name: 'Charge' }));
}

async function usesWidth(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  await sendRequest(context.world, owner, { model: 'sandbox-small', tokens: 20, isMessages: false });
  const { page } = await context.signedIn(owner, { viewport: { width: WIDTHS[0], height: HEIGHT } });
  await visit(page, '/usage');
  await saysWhatIsCut(page);
  await page.setViewportSize({ width: WIDTHS[1], height: HEIGHT });
  await gone(page.getByText(/^Not shown for lack of width/));
  const all = await headings(page);
  for (const name of ['Result', 'First token', 'Duration']) assert.ok(all.includes(name), `${name} is among ${all.join(', ')}`);
  const { width } = await page.getByRole('table', { name: 'Requests' }).boundingBox() ?? { width: 0 };
  assert.ok(width > WIDTHS[0] && width <= WIDEST, `the table is ${width} pixels wide`);
  await choosesColumns(page);
  await opensRow(page);
}

export const requestColumns: Check = {
  number: 49, title: 'The table of requests grows with the window, says which columns it leaves out, keeps the chosen ones, and opens a row to its charge', run: usesWidth,
};
