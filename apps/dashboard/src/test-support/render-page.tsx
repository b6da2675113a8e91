import { installDom, removeDom } from './dom';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { notifyManager, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRouteWithContext, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { createQueryClient } from '../api/query-client';
import { parseSearch, stringifySearch } from '../routing';
import { type Me, meQuery } from '../session/person';
import { theme } from '../theme/theme';
import { ScriptedApi } from './scripted-api';

const { fetch } = globalThis;
const SCHEDULED_TURNS = 3;
let client: QueryClient | null = null;

// By default, React Query notifies components by a timer, which can fire when the document is gone.
notifyManager.setScheduler(queueMicrotask);
notifyManager.setNotifyFunction((notify) => { act(notify); });

/** Adds hooks that empty the document between tests, and remove it after the file's last test. */
export function installDocument(): void {
  beforeAll(installDom);
  afterEach(() => {
    cleanup();
    client?.clear();
    client = null;
    globalThis.fetch = fetch;
    window.sessionStorage.clear();
    window.localStorage.clear();
  });
  afterAll(async () => {
    // React finishes what it has scheduled; it needs the window for that.
    for (let turn = 0; turn < SCHEDULED_TURNS; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
    removeDom();
  });
}

export interface PageOptions {
  readonly api?: ScriptedApi;
  /** Path below `/dashboard`. */
  readonly path?: string;
  /** Differences from `OWNER`. */
  readonly me?: object;
}

/** An owner without restrictions, as far as components read it. */
export const OWNER = {
  now: '2026-11-22T12:00:00.000Z', banner: null, usual_request: null, playground_key_id: null, person: { id: 'person_1', email: 'ada@example.com', name: 'Ada', role: 'owner' },
  account: { standing: 'good', standing_reason: null, deletion_due_at: null }, settings: { credit_line: null, api_url: 'http://localhost:8080' },
};

/** Renders the node in the providers of the pages, at an address that it can read and change. */
export async function renderPage(node: ReactNode, { api = new ScriptedApi(), path = '/', me = {} }: PageOptions = {}) {
  globalThis.fetch = api.fetch;
  const queries = createQueryClient({ onSignedOut: () => undefined, onConsentRequired: () => undefined });
  const { queries: ofQueries, mutations } = queries.getDefaultOptions();
  // Infinite, because timers would outlive the test.
  queries.setDefaultOptions({ queries: { ...ofQueries, gcTime: Infinity }, mutations: { ...mutations, gcTime: Infinity } });
  client = queries;
  queries.setQueryData(meQuery.queryKey, { ...OWNER, ...me } as unknown as Me);
  const root = createRootRouteWithContext()({ component: () => <Suspense>{node}</Suspense>, notFoundComponent: () => <Suspense>{node}</Suspense>, validateSearch: (search) => search });
  const router = createRouter({ routeTree: root, basepath: '/dashboard', history: createMemoryHistory({ initialEntries: [`/dashboard${path}`] }), parseSearch, stringifySearch });
  await act(() => router.load());
  const rendered = render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}><RouterProvider router={router as never} /></QueryClientProvider>
    </MantineProvider>,
  );
  return { ...rendered, api, search: () => router.state.location.searchStr };
}
