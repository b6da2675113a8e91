import { type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR } from '@tollgate/core';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import type { Subjects } from '../pages/dashboard-pages.js';
import type { RunRecord } from '../record/run-record.js';
import { openPage, type PageOptions, signIn, type WatchedPage } from '../driver/watched-page.js';
import { addResident, openWorld, passDays, PASSWORD, type Resident, type ResidentOptions, type World } from '../world/open-world.js';
import { subjectsOf } from '../world/fixtures.js';
import { addMachines } from './add-machines.js';
import { addMail } from './add-mail.js';
import { addVouchers, type VouchersInUse } from './add-vouchers.js';

const PICTURE_TIME = Date.parse('2026-11-22T14:02:11.204Z') as Instant;
const DAYS = 30;
const LONG_NAME = 'A customer whose name is as long as names may be, and who calls everything by its full name, in every place';

/** `stranger` has no session; `scratch` makes keys and requests. */
export type Viewer = 'stranger' | 'owner' | 'operator' | 'newcomer' | 'longNamed' | 'scratch';

/** At a stopped clock. */
export interface Gallery {
  readonly world: World;
  readonly people: Readonly<Record<Exclude<Viewer, 'stranger'>, Resident>>;
  readonly subjects: Subjects;
  readonly vouchers: VouchersInUse;
}

async function addKeys({ gateway, clock }: World, { accountId }: Resident): Promise<void> {
  const { services } = await import('@tollgate/gateway');
  const plan = gateway.container.get(services.catalogue).current().planInForce('pro' as never);
  const soon = (clock.now() + 5 * MILLISECONDS_PER_DAY) as Instant;
  for (const [name, expiresAt] of [['ci', null], ['notebook of the research group', soon]] as const) {
    // Keys of the same instant are sorted by their random ids.
    clock.stopAt((clock.now() + 1) as Instant);
    await gateway.keyManagement.create({ accountId, plan, name, expiresAt, actor: SYSTEM_ACTOR });
  }
  clock.stopAt(PICTURE_TIME);
}

/** @param environment settings of the gateway */
export async function openGallery(environment: Readonly<Record<string, string>> = {}): Promise<Gallery> {
  // The rate limit is raised: pictures are taken faster than pages are used, and its minute never ends while the clock stands still.
  const start = (PICTURE_TIME - (DAYS + 1) * MILLISECONDS_PER_DAY) as Instant;
  const world = await openWorld({ UNBILLED_PER_MINUTE_ADDRESS: '0', ...environment }, start);
  const { clock } = world;
  clock.stopAt(start);
  /** Sequential, because lists order simultaneous events by random ids. */
  const next = (options: ResidentOptions): Promise<Resident> => {
    clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
    return addResident(world, options);
  };
  const owner = await next({ email: 'ada@example.com', name: 'Ada' });
  const operator = await next({ email: 'op@example.com', name: 'Operator', role: 'operator' });
  clock.stopAt(PICTURE_TIME);
  await passDays(world, owner, { days: DAYS, still: true });
  clock.stopAt((PICTURE_TIME - MILLISECONDS_PER_HOUR) as Instant);
  const newcomer = await next({ email: 'new@example.com', name: 'Newcomer', credit: '0' });
  const longNamed = await next({ email: `${'long.'.repeat(11)}address@a-rather-long-name-of-a-company.example.com`, name: LONG_NAME.slice(0, 100), keyName: LONG_NAME.slice(0, 100), credit: '123456789012.123456' });
  const scratch = await next({ email: 'scratch@example.com', name: 'Scratch' });
  await addKeys(world, owner);
  clock.stopAt((PICTURE_TIME - MILLISECONDS_PER_HOUR) as Instant);
  await addMachines(world);
  clock.stopAt(PICTURE_TIME);
  await addMail(world, [owner, longNamed]);
  const vouchers = await addVouchers(world, [scratch, longNamed]);
  return { world, people: { owner, operator, newcomer, longNamed, scratch }, subjects: await subjectsOf(world, owner), vouchers };
}

type Session = NonNullable<BrowserContextOptions['storageState']>;

/** Each person signs in once. */
export class Visits {
  readonly #sessions = new Map<Viewer, Promise<Session>>();
  readonly #open = new Map<string, Promise<WatchedPage>>();

  /** @param record takes what the pages leave behind */
  constructor(private readonly browser: Browser, readonly gallery: Gallery, private readonly record?: RunRecord) {}

  /** Pages of one person and scheme share a browser cache. */
  async open(viewer: Viewer, options: BrowserContextOptions): Promise<WatchedPage> {
    const name = JSON.stringify([viewer, options]);
    const known = this.#open.get(name) ?? this.#openContext(viewer, options);
    this.#open.set(name, known);
    const watched = await known;
    const page = await watched.context.newPage();
    page.setDefaultTimeout(20_000);
    return { ...watched, page };
  }

  async #openContext(viewer: Viewer, options: BrowserContextOptions): Promise<WatchedPage> {
    const session = viewer === 'stranger' ? undefined : await this.#session(viewer);
    // Scripts that inspect the page would violate its policy.
    const watched = await openPage(this.browser, this.gallery.world.origin, { ...this.#watching, bypassCSP: true, ...options, ...(session === undefined ? {} : { storageState: session }) });
    await watched.context.clock.setFixedTime(PICTURE_TIME);
    return watched;
  }

  get #watching(): PageOptions {
    return this.record === undefined ? {} : { record: this.record };
  }

  #session(viewer: Exclude<Viewer, 'stranger'>): Promise<Session> {
    const known = this.#sessions.get(viewer) ?? this.#signIn(viewer);
    this.#sessions.set(viewer, known);
    return known;
  }

  async #signIn(viewer: Exclude<Viewer, 'stranger'>): Promise<Session> {
    const { page, context, note } = await openPage(this.browser, this.gallery.world.origin, this.#watching);
    await signIn(page, this.gallery.people[viewer].email, PASSWORD);
    await shown(heading(page));
    const session = await context.storageState();
    await note();
    await context.close();
    return session;
  }
}

/** Resolves once nothing loads or moves. */
async function settle({ page }: WatchedPage): Promise<void> {
  await shown(heading(page));
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null);
  await page.waitForFunction(() => document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity));
}

const HEIGHTS = { 1280: 900, 390: 844 } as const;

interface Seen {
  readonly state: State;
  readonly look: Look;
  readonly watched: WatchedPage;
}

/** For example `overview-light-1280`. */
export function pictureName({ name }: State, { scheme, width }: Look): string {
  return `${name}-${scheme}-${width}`;
}

/** Resolves with the states that failed to open, and why. */
export async function walk(visits: Visits, states: readonly State[], see: (seen: Seen) => Promise<void>): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const state of states) {
    for (const look of state.looks) {
      await visitOne(visits, { state, look }, see).catch((thrown: unknown) => void failures.set(pictureName(state, look), thrown instanceof Error ? thrown.message : String(thrown)));
    }
  }
  return failures;
}

async function visitOne(visits: Visits, { state, look }: Pick<Seen, 'state' | 'look'>, see: (seen: Seen) => Promise<void>): Promise<void> {
  const { scheme, width } = look;
  const watched = await visits.open(state.viewer, { colorScheme: scheme, viewport: { width, height: HEIGHTS[width] }, hasTouch: width === 390, reducedMotion: 'reduce' });
  try {
    await state.prepare?.(watched.page);
    await watched.page.goto(`/dashboard${state.path}`);
    await (state.isLoading === true ? shown(heading(watched.page)) : settle(watched));
    await state.act?.(watched.page);
    if (state.isLoading !== true) await settle(watched);
    await see({ state, look, watched });
  } finally {
    await watched.page.close();
  }
}

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;

type Scheme = (typeof SCHEMES)[number];
type Width = (typeof WIDTHS)[number];

interface Look {
  readonly scheme: Scheme;
  readonly width: Width;
}

export interface State {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  readonly looks: readonly Look[];
  /** Called before navigation. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Called after navigation. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** True if it changes what other pages show. */
  readonly changes?: boolean;
  /** True if the page never finishes loading. */
  readonly isLoading?: boolean;
}

export const ALL_LOOKS: readonly Look[] = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => ({ scheme, width })));
export const ONE_LOOK: readonly Look[] = [{ scheme: 'light', width: 1280 }];
/** Covers both schemes and both widths. */
export const TWO_LOOKS: readonly Look[] = [{ scheme: 'light', width: 390 }, { scheme: 'dark', width: 1280 }];
export const NARROW_LOOKS: readonly Look[] = SCHEMES.map((scheme) => ({ scheme, width: 390 }));

/** With default looks. */
export type NamedState = Omit<State, 'looks'> & { readonly looks?: readonly Look[] };

/** `/operator/accounts/acct_1?tab=keys` becomes `operator-accounts-one-keys`, prefixed with `before`. */
export function nameOf(path: string, before = ''): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/').filter(Boolean).map((part) => (/_|^sandbox-/.test(part) ? 'one' : part));
  return before + [...parts, ...query.split('&').filter(Boolean).map((pair) => pair.split('=')[1] ?? '')].join('-');
}

/** Resolves once it is open. */
export function dialog(page: Page, name: string | RegExp): Promise<void> {
  return shown(page.getByRole('dialog', { name }));
}

const FAILURE = { error: { code: 'internal_error', type: 'api_error', message: 'The gateway failed.', request_id: 'req_0123456789abcdefghijkl' } };
const API = '**/dashboard/api';

type Body = Record<string, unknown>;

function fail(route: Route): Promise<void> {
  return route.fulfill({ status: 500, headers: { 'x-request-id': FAILURE.error.request_id }, json: FAILURE });
}

/** Fails API requests to this path. */
export function failing(path: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, fail);
}

/** Fails all API requests except that for the session. */
export function allFailing(page: Page): Promise<unknown> {
  return page.route(`${API}/**`, (route) => (route.request().url().endsWith('/me') ? route.fallback() : fail(route)));
}

/** Requests to this path are never answered. */
export function waiting(path: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, () => undefined);
}

/** Answers in place of the gateway. */
export function answered(path: string, body: Body): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, (route) => route.fulfill({ json: body }));
}

/** Modifies the gateway's replies at this path. */
export function changed(path: string, change: (body: Body) => Body): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json() as Body) });
  });
}
