import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CheckContext, heading, ownerPages, shown, subjectsOf, visit, type WatchedPage } from '@tollgate/browser';
import { buildDashboard } from './support/built-dashboard.js';

const KIB = 1_024;
const MAX_SCRIPT_KIB = 240;
/** Maximum number of files that the first page loads, including the font. */
const MAX_FILES = 25;
/** Files that are loaded after the first paint, and not counted. */
const CHARTS = /\/bars-[^/]*$/;
const OPERATORS_TEXTS = ['Message to owners', 'Send test mail', 'No requests in the last 15 minutes'];

let context: CheckContext;
beforeAll(async () => {
  await buildDashboard();
  context = await CheckContext.open();
}, 300_000);
afterAll(() => context.close(), 60_000);

/**
 * Returns a function that reads the dashboard files that a page has loaded, by address. It fetches them again, because a browser forgets them after
 * navigation.
 */
function filesOf({ page }: WatchedPage): () => Promise<ReadonlyMap<string, Buffer>> {
  const urls = new Set<string>();
  page.on('request', (request) => {
    if (/\/dashboard\/(?:assets\/|theme\.js)/.test(request.url())) urls.add(request.url());
  });
  return async () => new Map(await Promise.all([...urls].map(async (url) => [url, Buffer.from(await (await fetch(url)).arrayBuffer())] as const)));
}

test('an owner’s first page loads a bounded number of files and bytes of script', async () => {
  const owner = await context.owner();
  await subjectsOf(context.world, owner);
  const before = await context.signedIn(owner);
  const cold = await context.page({ storageState: await before.context.storageState() });
  const read = filesOf(cold);
  const charts = cold.page.waitForRequest(CHARTS);
  await cold.page.goto('/dashboard/overview');
  await shown(heading(cold.page, 'Overview'));
  await charts;
  await cold.page.waitForLoadState('networkidle');
  const files = await read();
  expect(cold.notices.errors).toEqual([]);
  const scripts = [...files].filter(([url]) => url.endsWith('.js'));
  const bytes = scripts.filter(([url]) => !CHARTS.test(url)).reduce((sum, [, body]) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(bytes / KIB).toBeLessThanOrEqual(MAX_SCRIPT_KIB);
  expect(files.size).toBeLessThanOrEqual(MAX_FILES);
}, 120_000);

test('an owner loads nothing of operators’ pages', async () => {
  const owner = await context.owner();
  const subjects = await subjectsOf(context.world, owner);
  const own = await context.signedIn(owner);
  const read = filesOf(own);
  for (const path of ownerPages(subjects)) await visit(own.page, path);
  const withTexts = [...await read()].filter(([, body]) => OPERATORS_TEXTS.some((text) => body.includes(text)));
  expect(withTexts.map(([url]) => url)).toEqual([]);
  // A file that runs before one on which it depends would cause an error.
  expect(own.notices.errors).toEqual([]);
  const operator = await context.signedIn(await context.operator());
  const theirs = filesOf(operator);
  for (const path of ['/operator/live', '/operator/incidents', '/operator/mail']) await visit(operator.page, path);
  const known = [...await theirs()].map(([, body]) => body.toString());
  // If an operator's files lacked these texts, the check above would prove nothing.
  expect(OPERATORS_TEXTS.filter((text) => !known.some((body) => body.includes(text)))).toEqual([]);
}, 180_000);
