import type { Page, Route } from 'playwright-core';

const FAILURE = { error: { code: 'internal_error', type: 'api_error', message: 'The gateway failed.', request_id: 'req_0123456789abcdefghijkl' } };
const API = '**/dashboard/api';

type Body = Record<string, unknown>;

function fail(route: Route): Promise<void> {
  return route.fulfill({ status: 500, headers: { 'x-request-id': FAILURE.error.request_id }, json: FAILURE });
}

/** Makes API requests to this path fail. */
export function failing(path: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, fail);
}

/** Makes all API requests fail, except the one for the session. */
export function allFailing(page: Page): Promise<unknown> {
  return page.route(`${API}/**`, (route) => (route.request().url().endsWith('/me') ? route.fallback() : fail(route)));
}

/** Leaves all API requests without a reply, except the one for the session. */
export function allWaiting(page: Page): Promise<unknown> {
  return page.route(`${API}/**`, (route) => (route.request().url().endsWith('/me') ? route.fallback() : undefined));
}

/** Answers requests for this path in place of the gateway. */
export function answered(path: string, body: Body): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, (route) => route.fulfill({ json: body }));
}

/** Changes the gateway's replies to requests for this path. */
export function changed(path: string, change: (body: Body) => Body): (page: Page) => Promise<unknown> {
  return (page) => page.route(API + path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json() as Body) });
  });
}
