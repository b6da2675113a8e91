import type { Browser, BrowserContextOptions } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import { openPage, signIn, type WatchedPage } from '../driver/watched-page.js';
import type { RunRecord } from '../record/run-record.js';
import { PASSWORD } from '../world/open-world.js';
import { type Gallery, PICTURE_TIME } from './gallery.js';
import { type Picture, pictureName, type Viewer } from './state.js';

type Session = NonNullable<BrowserContextOptions['storageState']>;

interface VisitOptions {
  /** Receives secrets and traces of the pages. */
  readonly record?: RunRecord;
  /** Locale of the browser; by default, English. */
  readonly locale?: string;
}

/** Opens pages for different people. Each person signs in only once. */
export class Visits {
  readonly #sessions = new Map<Viewer, Promise<Session>>();
  readonly #open = new Map<string, Promise<WatchedPage>>();

  constructor(private readonly browser: Browser, readonly gallery: Gallery, private readonly options: VisitOptions = {}) {}

  /** Opens a page, in a browser profile that pages of the same person with the same options share. */
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
    // The content security policy is bypassed, because scripts that inspect the page would violate it.
    const watched = await openPage(this.browser, this.gallery.world.origin, { ...this.options, bypassCSP: true, ...options, ...(session === undefined ? {} : { storageState: session }) });
    await watched.context.clock.setFixedTime(PICTURE_TIME);
    return watched;
  }

  #session(viewer: Exclude<Viewer, 'stranger'>): Promise<Session> {
    const known = this.#sessions.get(viewer) ?? this.#signIn(viewer);
    this.#sessions.set(viewer, known);
    return known;
  }

  async #signIn(viewer: Exclude<Viewer, 'stranger'>): Promise<Session> {
    const person = this.gallery.people[viewer];
    if (person === undefined) throw new Error(`this gallery has no person ${viewer}`);
    // The sign-in form is opened without the locale, because its fields are found by their English labels.
    const { locale: _locale, ...options } = this.options;
    const { page, context, note } = await openPage(this.browser, this.gallery.world.origin, options);
    await signIn(page, person.email, PASSWORD);
    await shown(heading(page));
    const session = await context.storageState();
    await note();
    await context.close();
    return session;
  }
}

/** Resolves once the page loads nothing more, and nothing in it moves. */
async function settle({ page }: WatchedPage): Promise<void> {
  await shown(heading(page));
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null);
  await page.waitForFunction(() => document.getAnimations().every(({ playState, effect, timeline }) => timeline !== document.timeline || playState !== 'running' || effect?.getComputedTiming().iterations === Infinity));
}

const HEIGHTS = { 1920: 1080, 1280: 900, 390: 844 } as const;

interface Seen extends Picture {
  readonly watched: WatchedPage;
}

/** Opens and passes on each picture's state. Resolves with the reason for each state that could not be reached. */
export async function walk(visits: Visits, pictures: readonly Picture[], see: (seen: Seen) => Promise<void>): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const picture of pictures) {
    await visitOne(visits, picture, see).catch((thrown: unknown) => void failures.set(pictureName(picture), thrown instanceof Error ? thrown.message : String(thrown)));
  }
  return failures;
}

async function visitOne(visits: Visits, { state, look }: Picture, see: (seen: Seen) => Promise<void>): Promise<void> {
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
