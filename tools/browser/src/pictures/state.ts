import type { Page, Route } from 'playwright-core';
import { shown } from '../checks/check.js';
import type { Viewer } from './gallery.js';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;

type Scheme = (typeof SCHEMES)[number];
type Width = (typeof WIDTHS)[number];

/** How a picture is taken. */
export interface Look {
  readonly scheme: Scheme;
  readonly width: Width;
}

/** What a picture is of: an address, and what is done there. */
export interface State {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  readonly looks: readonly Look[];
  /** Before the address is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Once it is open. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether it changes what other pages show. */
  readonly changes?: boolean;
  /** Whether the page never finishes loading, so that the picture does not wait for it. */
  readonly isLoading?: boolean;
}

export const ALL_LOOKS: readonly Look[] = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => ({ scheme, width })));
export const ONE_LOOK: readonly Look[] = [{ scheme: 'light', width: 1280 }];
/** Of what is looked at once in each scheme, and once in each width. */
export const TWO_LOOKS: readonly Look[] = [{ scheme: 'light', width: 390 }, { scheme: 'dark', width: 1280 }];
/** Of what narrow windows alone have. */
export const NARROW_LOOKS: readonly Look[] = SCHEMES.map((scheme) => ({ scheme, width: 390 }));

/** A state that need not say how it is looked at. */
export type NamedState = Omit<State, 'looks'> & { readonly looks?: readonly Look[] };

/** `/operator/accounts/acct_1?tab=keys` is `operator-accounts-one-keys`, after `before`. */
export function nameOf(path: string, before = ''): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/').filter(Boolean).map((part) => (/_|^sandbox-/.test(part) ? 'one' : part));
  return before + [...parts, ...query.split('&').filter(Boolean).map((pair) => pair.split('=')[1] ?? '')].join('-');
}

/** Waits for a dialog with this name. */
export function dialog(page: Page, name: string | RegExp): Promise<void> {
  return shown(page.getByRole('dialog', { name }));
}

const FAILURE = { error: { code: 'internal_error', type: 'api_error', message: 'The gateway failed.', request_id: 'req_0123456789abcdefghijkl' } };
const API = '**/dashboard/api';

type Body = Record<string, unknown>;

function fail(route: Route): Promise<void> {
  return route.fulfill({ status: 500, headers: { 'x-request-id': FAILURE.error.request_id }, json: FAILURE });
}

/** Requests to this path of the API fail. */
export function failing(path: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, fail);
}

/** All fail, but for who is signed in. */
export function allFailing(page: Page): Promise<unknown> {
  return page.route(`${API}/**`, (route) => (route.request().url().endsWith('/me') ? route.fallback() : fail(route)));
}

/** Requests to this path are never answered. */
export function waiting(path: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, () => undefined);
}

/** What the gateway answers there is changed on its way. */
export function changed(path: string, change: (body: Body) => Body): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json() as Body) });
  });
}
