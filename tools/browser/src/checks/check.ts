import { strict as assert } from 'node:assert';
import type { Instant } from '@tollgate/core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import { launchChromium, type Notices, openPage, signIn, type WatchedPage } from '../driver/watched-page.js';
import { noteGateway, RunRecord } from '../record/run-record.js';
import { addResident, type Environment, openWorld, PASSWORD, type Resident, type ResidentOptions, type World } from '../world/open-world.js';

/** A check of the dashboard. `run` rejects with the first assertion that fails. */
export interface Check {
  /** Number of the check's row in docs/browser.md. */
  readonly number: number;
  readonly title: string;
  run(context: CheckContext): Promise<void>;
}

export interface SignedIn {
  readonly owner: Resident;
  readonly page: Page;
}

/**
 * Settings of the gateway. `SIGNUP_CREDIT` lets new accounts pay for a first request. `UNBILLED_PER_MINUTE_ADDRESS` is off, because each check loads
 * all files again, which would exceed the limit.
 */
const SETTINGS = { SIGNUP_CREDIT: '1000', UNBILLED_PER_MINUTE_ADDRESS: '0' };

/** What a run collects over all its gateways. */
interface Run {
  readonly noticed: Notices;
  readonly record: RunRecord;
}

export class CheckContext {
  #residents = 0;
  #newcomers = 0;
  #operator: Resident | null = null;
  #open: WatchedPage[] = [];

  private constructor(readonly world: World, readonly browser: Browser, private readonly run: Run) {}

  static async open(environment: Environment = {}): Promise<CheckContext> {
    const browser = await launchChromium();
    try {
      return new CheckContext(await openWorld({ ...SETTINGS, ...environment }), browser, { noticed: { violations: [], foreign: [], errors: [] }, record: new RunRecord() });
    } catch (thrown) {
      await browser.close();
      throw thrown;
    }
  }

  /** Runs part of a check in the same browser with a gateway of its own, so that it can set the clock, fill the database or restart. */
  async apart(use: (context: CheckContext) => Promise<void>, { environment = {}, time = null, catalogue = null }: { readonly environment?: Environment; readonly time?: Instant | null; readonly catalogue?: object | null } = {}): Promise<void> {
    const world = await openWorld({ ...SETTINGS, ...environment }, time, catalogue);
    const context = new CheckContext(world, this.browser, this.run);
    try {
      await use(context);
    } finally {
      await context.closePages();
      noteGateway(this.record, 'a gateway of one check', world);
      await world.close();
    }
  }

  /** Notices of all pages that the run has closed. */
  get noticed(): Notices {
    return this.run.noticed;
  }

  get record(): RunRecord {
    return this.run.record;
  }

  async close(): Promise<void> {
    await this.closePages();
    await this.browser.close();
    await this.world.close();
  }

  /** Adds an owner; each has a different address. */
  async owner(options: Partial<ResidentOptions> = {}): Promise<Resident> {
    this.#residents += 1;
    return this.#noted(await addResident(this.world, { email: `owner-${this.#residents}@example.com`, name: `Owner ${this.#residents}`, ...options }));
  }

  /** An address for a sign-up, different at each call, because check 22 repeats checks on the same gateway. */
  newcomersAddress(): string {
    this.#newcomers += 1;
    return `newcomer-${this.#newcomers}@example.com`;
  }

  #noted(resident: Resident): Resident {
    this.record.addSecret('key', resident.secret);
    return resident;
  }

  async operator(): Promise<Resident> {
    this.#operator ??= this.#noted(await addResident(this.world, { email: 'op@example.com', name: 'Operator', role: 'operator' }));
    return this.#operator;
  }

  /** Opens a page of the dashboard in a new browser profile. */
  page(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    return this.pageAt(this.world.origin, options);
  }

  async pageAt(origin: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(this.browser, origin, { record: this.record, ...options });
    watched.page.setDefaultTimeout(20_000);
    this.#open.push(watched);
    return watched;
  }

  /** Opens a page in a new browser profile, and signs this person in. */
  async signedIn({ email }: Resident, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await this.page(options);
    await signIn(watched.page, email, PASSWORD);
    await shown(heading(watched.page));
    return watched;
  }

  async closePages(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    for (const { context, notices, note } of open) {
      await note();
      await context.close();
      this.noticed.violations.push(...notices.violations);
      this.noticed.foreign.push(...notices.foreign);
      this.noticed.errors.push(...notices.errors);
    }
  }
}

export function assertContains(text: string, part: string, what: string): void {
  assert.ok(text.includes(part), `${what} does not contain ${JSON.stringify(part)}: ${text.slice(0, 500)}`);
}

export interface CheckResult {
  readonly number: number;
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Message of the failure; `null` if the check passed. */
  readonly failure: string | null;
}

export async function runCheck(check: Check, context: CheckContext): Promise<CheckResult> {
  const { number, title } = check;
  const startedAt = Date.now();
  const failure = await check.run(context).then(() => null, (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
  await context.closePages();
  return { number, title, passed: failure === null, seconds: Math.round((Date.now() - startedAt) / 100) / 10, failure };
}
