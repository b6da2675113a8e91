import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { services } from '@tollgate/gateway';
import { until } from '../driver/wait.js';
import { openPage, type WatchedPage } from '../driver/watched-page.js';
import { subjectsOf } from '../world/fixtures.js';
import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../pages/dashboard-pages.js';
import { assertContains, type Check, type CheckContext } from './check.js';
import { gone, heading, shown, visit } from '../driver/page-states.js';
import { findSecrets, noteCrashReports, noteGateway, TRACE_PLACES, type TracePlace, RunRecord, SECRET_KINDS } from '../record/run-record.js';
import type { World } from '../world/open-world.js';
import { downloads } from './downloads.js';
import { keySecrets } from './keys.js';
import { waysIn } from './ways-in.js';

/** Opens the search, a menu and the list of shortcuts. */
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

/** Checks that assigning a string as markup throws. */
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

async function judgesPolicy(context: CheckContext): Promise<void> {
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
  // The probe violates the policy on purpose, which shows that violations are noticed.
  await until('the breach of the policy to be noticed', () => probe.notices.violations.splice(0).some((violation) => violation.startsWith('require-trusted-types-for')));
}

export const strictPolicy: Check = { number: 23, title: 'In the whole run, no page violates the content security policy, has a style element, or sends a request to another origin', run: judgesPolicy };

/** Places in which every run leaves traces. The others have traces only after a crash or a console message. */
const ALWAYS_LEFT: readonly TracePlace[] = TRACE_PLACES.filter((place) => place !== 'crash report' && place !== 'console');
const PLANTED = 'sk-planted-0123456789abcdef';

function missingFrom(record: RunRecord): readonly string[] {
  const places = new Set(record.traces.map(({ place }) => place));
  return [...SECRET_KINDS.filter((kind) => record.secrets(kind).size === 0), ...ALWAYS_LEFT.filter((place) => !places.has(place))];
}

/** Stores the text in all storages of the page. */
async function leakAll(page: Page, secret: string): Promise<void> {
  await page.evaluate(async (text) => {
    document.cookie = `leak=${text}`;
    localStorage.setItem('leak', text);
    sessionStorage.setItem('leak', text);
    await new Promise<void>((resolve) => {
      const opening = indexedDB.open('leak');
      opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('leaks').put(text, 1));
      opening.addEventListener('success', () => {
        opening.result.close();
        resolve();
      });
    });
    await (await caches.open('leak')).put('/leak', new Response(text));
    // oxlint-disable-next-line no-console -- A console is one of the places.
    console.info(text);
    history.replaceState({ leak: text }, '');
    history.pushState(null, '', `#${text}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = 'leak.txt';
    link.click();
    history.back();
  }, secret);
}

/** Plants a secret in every place, and expects that each copy is found. */
async function assertFound({ browser, world }: CheckContext): Promise<void> {
  const record = new RunRecord();
  record.addSecret('key', PLANTED);
  const { page, context, note } = await openPage(browser, world.origin, { record });
  await page.goto('/dashboard/sign-in');
  await shown(heading(page));
  const saved = page.waitForEvent('download');
  await leakAll(page, PLANTED);
  await saved;
  await until('the state of the history to be back', () => page.evaluate(() => history.state !== null));
  world.gateway.container.get(services.log).debug({ leak: PLANTED }, 'planted by a check');
  await note();
  await context.close();
  noteGateway(record, 'planted', world);
  record.addTrace({ place: 'crash report', name: 'planted', text: `{"key":"${PLANTED}"}` });
  const found = findSecrets(record);
  for (const place of TRACE_PLACES) assert.ok(found.some((line) => line.startsWith(`key in ${place}: `)), `what is told in ${place} is not found`);
}

function noteRest(record: RunRecord, world: World): void {
  noteGateway(record, 'the gateway', world);
  noteCrashReports(record, process.cwd());
}

async function judgesSecrets(context: CheckContext): Promise<void> {
  const { record, world } = context;
  noteRest(record, world);
  // If this check runs alone, it runs the checks that leave traces first; in a whole run they have run already.
  if (missingFrom(record).length > 0) for (const check of [keySecrets, waysIn, downloads]) await check.run(context);
  await context.closePages();
  noteRest(record, world);
  assert.deepEqual(missingFrom(record), [], 'there is nothing to look for, or nowhere to look');
  assert.deepEqual(findSecrets(record), []);
  await assertFound(context);
}

export const keptSecrets: Check = {
  number: 25, title: 'In the whole run, no key, password, token, code, session or mail is in a log, an address, a download or the browser’s storage', run: judgesSecrets,
};
