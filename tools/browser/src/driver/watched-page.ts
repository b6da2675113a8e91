import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { notePages, noteTraffic } from '../record/note-pages.js';
import type { RunRecord } from '../record/run-record.js';
import { DISABLED_FEATURES } from './disabled-features.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Flags that make Chromium redraw whole tiles. Otherwise it blends new parts of a tile with old pixels, so that corners differ between runs. */
const WHOLE_TILES = ['--disable-partial-raster', '--disable-checker-imaging', '--num-raster-threads=1'];

/** Path of Chromium. Throws with installation instructions if it is not installed. */
function findChromium(): string {
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch { /* The next name. */ }
  }
  throw new Error('Chromium is not installed. "apt-get install chromium" on Debian or Ubuntu installs it, and so does `npm test`.');
}

/** Starts Chromium without a window, and with text rendering that depends only on the fonts. */
export function launchChromium(): Promise<Browser> {
  // Chromium's sandbox needs privileges that containers lack. It is not needed here, because the pages are trusted.
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text', `--disable-features=${DISABLED_FEATURES.join(',')}`, ...WHOLE_TILES];
  return chromium.launch({ executablePath: findChromium(), args });
}

export interface Notices {
  /** Violations of the content security policy: the directive, the blocked URI, and the place in the source. */
  readonly violations: string[];
  /** Addresses of other origins that the page has requested. */
  readonly foreign: string[];
  /** Script errors and console errors, except those about refused API calls. */
  readonly errors: string[];
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly notices: Notices;
  /** Number of `style` elements in the document. */
  readonly styleElements: () => Promise<number>;
  /** Records what the page has in its storages at this time. */
  readonly note: () => Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Receives secrets and stored data of the page. */
  readonly record?: RunRecord;
}

/** Opens a page in a new browser profile, and records policy violations, foreign requests and script errors. */
export async function openPage(browser: Browser, origin: string, { record, ...options }: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, locale: 'en-GB', timezoneId: 'UTC', ...options });
  const notices: Notices = { violations: [], foreign: [], errors: [] };
  await context.exposeBinding('noteViolation', (_source, directive: string) => void notices.violations.push(directive));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (globalThis as unknown as { noteViolation(directive: string): void }).noteViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) notices.foreign.push(url);
  });
  context.on('weberror', (error) => void notices.errors.push(error.error().message));
  const [traffic, pages] = record === undefined ? [] : [noteTraffic(record, context), notePages(record, context)];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) notices.errors.push(message.text());
  });
  const note = async (): Promise<void> => {
    await traffic?.();
    await pages?.();
  };
  return { page, context, notices, note, styleElements: () => page.locator('style').count() };
}

export async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await enter(page, email, password);
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Person:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE: ReadonlySet<string | null> = new Set(['serious', 'critical']);

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly impact: string | null; readonly help: string; readonly nodes: readonly { readonly html: string; readonly target: readonly unknown[] }[] }[];
}

/** Serious and critical findings of axe-core, each with one of its elements. The page must have been opened without its content security policy. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run());
  return violations.filter(({ impact }) => GRAVE.has(impact)).map(({ id, impact, help, nodes }) => `${id} (${impact ?? ''}): ${help}; ${nodes.length} × ${nodes[0]?.html.slice(0, 200) ?? ''}`);
}
