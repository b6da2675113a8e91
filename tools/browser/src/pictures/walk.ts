import { heading, shown } from '../checks/check-context.js';
import type { WatchedPage } from '../driver/watched-page.js';
import { settle, type Visits } from './gallery.js';
import type { Look, State } from './state.js';

const HEIGHTS = { 1280: 900, 390: 844 } as const;

/** A state that is open in a browser, as it is looked at. */
export interface Seen {
  readonly state: State;
  readonly look: Look;
  readonly watched: WatchedPage;
}

/** `overview-light-1280` */
export function pictureName({ name }: State, { scheme, width }: Look): string {
  return `${name}-${scheme}-${width}`;
}

/** Opens each state in each of its looks, and hands it to `see`. Resolves with the names of those that could not be opened, and why. */
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
