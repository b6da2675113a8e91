import { strict as assert } from 'node:assert';
import type { Instant } from '@tollgate/core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchChromium } from '../driver/chromium.js';
import { openPage, signIn, type Notices, type WatchedPage } from '../driver/watched-page.js';
import { addResident, type Environment, openWorld, PASSWORD, type Resident, type ResidentOptions, type World } from '../world/open-world.js';

/** New accounts can pay for a first request. Each check loads every file anew, so that a minute has more loads than one address may have. */
const SETTINGS = { SIGNUP_CREDIT: '1000', UNBILLED_PER_MINUTE_ADDRESS: '0' };

/** What the checks of one run share: a gateway, a Chromium, and what went wrong on any page. */
export class CheckContext {
  #residents = 0;
  #operator: Resident | null = null;
  #open: WatchedPage[] = [];

  /** @param noticed of all pages of the run that are closed */
  private constructor(readonly world: World, readonly browser: Browser, readonly noticed: Notices) {}

  static async open(environment: Environment = {}): Promise<CheckContext> {
    const browser = await launchChromium();
    try {
      return new CheckContext(await openWorld({ ...SETTINGS, ...environment }), browser, { violations: [], foreign: [], errors: [] });
    } catch (thrown) {
      await browser.close();
      throw thrown;
    }
  }

  /** Runs something with a gateway of its own in the same browser, so that it may set its clock, fill its database or restart it. */
  async apart(use: (context: CheckContext) => Promise<void>, { environment = {}, time = null }: { readonly environment?: Environment; readonly time?: Instant | null } = {}): Promise<void> {
    const world = await openWorld({ ...SETTINGS, ...environment }, time);
    const context = new CheckContext(world, this.browser, this.noticed);
    try {
      await use(context);
    } finally {
      await context.closePages();
      await world.close();
    }
  }

  async close(): Promise<void> {
    await this.closePages();
    await this.browser.close();
    await this.world.close();
  }

  /** An owner that no other check has used. */
  owner(options: Partial<ResidentOptions> = {}): Promise<Resident> {
    this.#residents += 1;
    return addResident(this.world, { email: `owner-${this.#residents}@example.com`, name: `Owner ${this.#residents}`, ...options });
  }

  /** The operator of the installation. */
  async operator(): Promise<Resident> {
    this.#operator ??= await addResident(this.world, { email: 'op@example.com', name: 'Operator', role: 'operator' });
    return this.#operator;
  }

  /** A page in a browser profile of its own. */
  async page(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(this.browser, this.world.origin, options);
    watched.page.setDefaultTimeout(20_000);
    this.#open.push(watched);
    return watched;
  }

  /** The same, with a session of this person. */
  async signedIn({ email }: Resident, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await this.page(options);
    await signIn(watched.page, email, PASSWORD);
    await shown(heading(watched.page));
    return watched;
  }

  /** Closes what a check has left open, and keeps what was noticed. */
  async closePages(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    for (const { context, notices } of open) {
      await context.close();
      this.noticed.violations.push(...notices.violations);
      this.noticed.foreign.push(...notices.foreign);
      this.noticed.errors.push(...notices.errors);
    }
  }
}

/** The title of the page; `name` where it has to be this one. */
export function heading(page: Page, name?: string): Locator {
  return page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
}

/** Resolves once it can be seen. */
export function shown(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'visible' });
}

/** Resolves once it can no longer be seen. */
export function gone(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'hidden' });
}

/** That a text contains another one. */
export function assertContains(text: string, part: string, what: string): void {
  assert.ok(text.includes(part), `${what} does not contain ${JSON.stringify(part)}: ${text.slice(0, 500)}`);
}
