import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import type { WatchedPage } from '../driver/watched-page.js';
import { shown, visit } from '../driver/page-states.js';
import { ACCOUNT_TABS, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../pages/dashboard-pages.js';
import { addRecords, subjectsOf } from '../world/fixtures.js';
import type { Check, CheckContext } from './check.js';
import { layoutFaults } from './layout-faults.js';

const WIDTHS = [390, 700, 768, 1024] as const;
const HEIGHT = 844;
const RECORDS = 50_000;
/** Maximum width of a list of choices whose field is narrower. */
const WIDEST_LIST = 420;
const LONG_NAME = 'A key whose name is as long as names may be, and which is called by its full name, in every place';

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  // The page has its new width after two frames.
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
}

/**
 * Opens each list, menu and picker of the page or of its dialog. Returns those that reach beyond the window, and lists far wider than their fields.
 */
async function wideLists(page: Page, root: 'main' | '[role="dialog"]' = 'main'): Promise<readonly string[]> {
  const faults: string[] = [];
  const openers = page.locator(`${root} :is(input, button):is([aria-haspopup="listbox"], [aria-haspopup="menu"], [aria-haspopup="dialog"][aria-controls])`).filter({ visible: true });
  const count = await openers.count();
  for (let index = 0; index < count; index += 1) {
    const opener = openers.nth(index);
    if (!(await opener.isEnabled())) continue;
    await opener.click();
    const list = page.locator('[class*="-dropdown"]').filter({ visible: true });
    await shown(list);
    const box = await list.first().evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return { left, right, most: window.innerWidth };
    });
    const isList = await opener.getAttribute('aria-haspopup') === 'listbox';
    const field = await opener.evaluate((element) => element.getBoundingClientRect().width);
    if (isList && box.right - box.left > Math.max(WIDEST_LIST, field) + 1) faults.push(`a list is ${Math.round(box.right - box.left)} pixels wide, and its field ${Math.round(field)}`);
    if (box.left < -1 || box.right > box.most + 1) faults.push(`a list reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${box.most} pixels`);
    await page.keyboard.press('Escape');
    await until('the list to close', async () => await list.count() === 0);
  }
  return faults;
}

/** Opens each page, and widens its window step by step, so that tables and dialogs change their form meanwhile. */
async function faultsOf({ page }: WatchedPage, paths: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    await resize(page, WIDTHS[0]);
    await visit(page, path);
    for (const width of WIDTHS) {
      await resize(page, width);
      await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
      const found = [...await layoutFaults(page), ...await wideLists(page)];
      faults.push(...found.map((fault) => `${path} at ${width} pixels: ${fault}`));
    }
  }
  return faults;
}

/** Resizes a page, on which something is open, across the widths at which tables become lists and dialogs become sheets, and back. */
async function resizeAcross(page: Page): Promise<void> {
  for (const width of [921, 920, 769, 768, 390, 768, 769, 920, 921, 1280]) await resize(page, width);
}

/** Resizes pages of an owner while a record, a dialog, the filters or a list is open. Returns the faults of lists in the sheet of filters. */
async function resizesOwnersPages({ page }: WatchedPage): Promise<readonly string[]> {
  await resize(page, 1280);
  await visit(page, '/usage');
  await page.getByRole('table', { name: 'Requests' }).locator('[data-row-link]').first().click();
  await shown(page.getByRole('region', { name: 'Charge' }));
  await resizeAcross(page);
  await visit(page, '/keys');
  await page.getByRole('button', { name: 'Create key', exact: true }).first().click();
  await shown(page.getByRole('dialog'));
  await resizeAcross(page);
  await visit(page, '/usage');
  await resize(page, 700);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await shown(page.getByRole('dialog'));
  await resize(page, 390);
  const faults = await wideLists(page, '[role="dialog"]');
  await resizeAcross(page);
  await visit(page, '/usage');
  await page.getByRole('combobox', { name: 'Model' }).click();
  await resizeAcross(page);
  return faults.map((fault) => `the filters at 390 pixels: ${fault}`);
}

async function resizesOperatorsPages({ page }: WatchedPage, accountId: string): Promise<void> {
  await resize(page, 1280);
  await visit(page, `/operator/accounts/${accountId}?tab=requests`);
  await resizeAcross(page);
  await visit(page, '/operator/incidents');
  await page.getByRole('button', { name: 'End limit' }).click();
  await shown(page.getByRole('dialog'));
  await resizeAcross(page);
}

/** Messages of a page, including warnings, which other checks ignore. */
function notesOf({ page, notices }: WatchedPage): () => readonly string[] {
  const warnings: string[] = [];
  page.on('console', (message) => { if (message.type() === 'warning') warnings.push(message.text()); });
  return () => [...notices.errors, ...warnings];
}

async function limitModel({ page }: WatchedPage): Promise<void> {
  await page.evaluate(async () => {
    const body = { model: 'sandbox-small', requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent_requests: 1_000, expires_at: null };
    const reply = await fetch('/dashboard/api/operator/incident-limits', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
  });
}

async function fitsNarrowWindows(context: CheckContext): Promise<void> {
  const owner = await context.owner({ email: `${'long.'.repeat(11)}address@a-rather-long-name-of-a-company.example.com`, name: LONG_NAME, keyName: LONG_NAME });
  await addRecords(context.world, owner, RECORDS);
  const subjects = await subjectsOf(context.world, owner);
  const [own, theirs] = [await context.signedIn(owner), await context.signedIn(await context.operator())];
  const notes = [notesOf(own), notesOf(theirs)];
  await limitModel(theirs);
  const account = `/operator/accounts/${owner.accountId}`;
  const faults = [
    ...await faultsOf(own, [...ownerPages(subjects), ...ACCOUNT_TABS.slice(1).map((tab) => `/account?tab=${tab}`)]),
    ...await faultsOf(theirs, [...operatorPages(owner.accountId, subjects.requestId), ...OPERATOR_ACCOUNT_TABS.slice(1).map((tab) => `${account}?tab=${tab}`)]),
  ];
  faults.push(...await resizesOwnersPages(own));
  await resizesOperatorsPages(theirs, owner.accountId);
  faults.push(...notes.flatMap((read) => read()).map((text) => `the console says: ${text}`));
  assert.ok(faults.length === 0, faults.join('\n'));
}

export const narrowWindows: Check = {
  number: 37, title: 'Between 390 and 1,024 pixels no page scrolls sideways, every button can be reached, no list is wider than the window, and resizing causes no error',
  run: (context) => context.apart(fitsNarrowWindows),
};
