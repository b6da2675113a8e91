import type { Page } from 'playwright-core';

/** `stranger` has no session; `scratch` makes keys and requests. */
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
  /** Looks to draw unless others are chosen. */
  readonly looks: readonly Look[];
  /** True for states that only a narrow window has. */
  readonly isNarrow?: boolean;
  /** Called before navigation. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Called after navigation. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** True if it changes what other pages show. */
  readonly changes?: boolean;
  /** True if the page never finishes loading. */
  readonly isLoading?: boolean;
}

/** A state that has default looks unless it names others. */
export type NamedState = Omit<State, 'looks'> & { readonly looks?: readonly Look[] };

export interface Picture {
  readonly state: State;
  readonly look: Look;
}

export const ALL_LOOKS: readonly Look[] = SCHEMES.flatMap((scheme) => ([1280, 390] as const).map((width) => ({ scheme, width })));
export const ONE_LOOK: readonly Look[] = [{ scheme: 'light', width: 1280 }];
/** Covers both schemes and two widths. */
export const TWO_LOOKS: readonly Look[] = [{ scheme: 'light', width: 390 }, { scheme: 'dark', width: 1280 }];
export const NARROW_LOOKS: readonly Look[] = SCHEMES.map((scheme) => ({ scheme, width: 390 }));

/** Pictures of the states in their default looks. */
export function picturesOf(states: readonly State[]): readonly Picture[] {
  return states.flatMap((state) => state.looks.map((look) => ({ state, look })));
}

/** For example `overview-light-1280`. */
export function pictureName({ state: { name }, look: { scheme, width } }: Picture): string {
  return `${name}-${scheme}-${width}`;
}

/** `/operator/accounts/acct_1?tab=keys` becomes `operator-accounts-one-keys`, prefixed with `before`. */
export function nameOf(path: string, before = ''): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/').filter(Boolean).map((part) => (/_|^sandbox-/.test(part) ? 'one' : part));
  return before + [...parts, ...query.split('&').filter(Boolean).map((pair) => pair.split('=')[1] ?? '')].join('-');
}
