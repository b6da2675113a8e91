import type { Page, Route } from 'playwright-core';

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
