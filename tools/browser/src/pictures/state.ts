import type { Page } from 'playwright-core';

/** Who looks at a page. `stranger` has no session; `scratch` is an account whose keys and requests pictures may change. */
export type Viewer = 'stranger' | 'owner' | 'operator' | 'newcomer' | 'longNamed' | 'scratch';

export const SCHEMES = ['light', 'dark'] as const;
export const WIDTHS = [1280, 390, 1920] as const;

export type Scheme = (typeof SCHEMES)[number];
export type Width = (typeof WIDTHS)[number];

export interface Look {
  readonly scheme: Scheme;
  readonly width: Width;
}

export interface State {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Looks in which the state is taken, unless others are chosen. */
  readonly looks: readonly Look[];
  /** True if the state exists only in a narrow window. */
  readonly isNarrow?: boolean;
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Called when the page is open. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** True if `act` or opening the page changes what other pages show. */
  readonly changes?: boolean;
  /** True if the page never finishes loading, which is the state to show. */
  readonly isLoading?: boolean;
}

/** A state whose looks may be absent; it then gets the default ones. */
export type NamedState = Omit<State, 'looks'> & { readonly looks?: readonly Look[] };

export interface Picture {
  readonly state: State;
  readonly look: Look;
}

export const ALL_LOOKS: readonly Look[] = SCHEMES.flatMap((scheme) => ([1280, 390] as const).map((width) => ({ scheme, width })));
export const ONE_LOOK: readonly Look[] = [{ scheme: 'light', width: 1280 }];
/** Looks that cover both schemes and two widths. */
export const TWO_LOOKS: readonly Look[] = [{ scheme: 'light', width: 390 }, { scheme: 'dark', width: 1280 }];
export const NARROW_LOOKS: readonly Look[] = SCHEMES.map((scheme) => ({ scheme, width: 390 }));

export function picturesOf(states: readonly State[]): readonly Picture[] {
  return states.flatMap((state) => state.looks.map((look) => ({ state, look })));
}

/** Name of a picture, for example `overview-light-1280`. */
export function pictureName({ state: { name }, look: { scheme, width } }: Picture): string {
  return `${name}-${scheme}-${width}`;
}

/**
 * Name of a page's state: `before`, and the path with `one` for ids, so that `/operator/accounts/acct_1?tab=keys` becomes
 * `operator-accounts-one-keys`.
 */
export function nameOf(path: string, before = ''): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/').filter(Boolean).map((part) => (/_|^sandbox-/.test(part) ? 'one' : part));
  return before + [...parts, ...query.split('&').filter(Boolean).map((pair) => pair.split('=')[1] ?? '')].join('-');
}
