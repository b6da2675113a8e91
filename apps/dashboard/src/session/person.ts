import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call, type Reply } from '../api/call';
import { keepReturn } from './kept-return';

export type Me = Reply<'me'>;

const REFRESH_EVERY = 5 * 60_000;
const WATCH_EVERY = 3_000;

/** Who is signed in, and what every page shows: the one request that pages wait for. */
export const meQuery = queryOptions({
  queryKey: ['me'], queryFn: ({ signal }) => call('me', {}, signal), staleTime: REFRESH_EVERY, retry: false, meta: { silent: true },
});

/** The person who is signed in; for pages within the shell, which has read it. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** As above, and asks again while the page is visible, often enough that a restriction of the service is read within five seconds. */
export function useWatchedMe(): Me {
  useQuery({ ...meQuery, refetchInterval: WATCH_EVERY });
  return useMe();
}

/** Leads to sign-in, and from there back to the page that is open. */
export function leaveForSignIn(router: AnyRouter): void {
  const { pathname, searchStr } = router.state.location;
  if (!pathname.startsWith('/sign-in')) void router.navigate({ to: '/sign-in', search: { to: pathname + searchStr } });
}

/** To be called where the gateway said that the session is over, other than in the answer to a query. */
export function useSessionOver(): () => void {
  const router = useRouter();
  return useCallback(() => leaveForSignIn(router), [router]);
}

/** Ends the session of this browser, and forgets everything that was read in it. `to`: a path of the dashboard to come back to after the next sign-in. */
export function useSignOut(): (to?: string) => Promise<void> {
  const client = useQueryClient();
  return async (to) => {
    await call('signOut', {});
    client.clear();
    keepReturn(undefined);
    window.location.assign(`/dashboard/sign-in${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`);
  };
}
