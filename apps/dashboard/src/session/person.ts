import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call, type Reply } from '../api/call';
import { setGatewayTime } from '../format/gateway-time';
import { forgetConversations } from './kept-conversation';
import { keepReturn } from './kept-return';

export type Me = Reply<'me'>;

const REFRESH_EVERY = 5 * 60_000;
const WATCH_EVERY = 3_000;

async function readMe({ signal }: { readonly signal: AbortSignal }): Promise<Me> {
  const me = await call('me', {}, signal);
  setGatewayTime(me.now);
  return me;
}

/** The only request that pages wait for. */
export const meQuery = queryOptions({
  queryKey: ['me'], queryFn: readMe, staleTime: REFRESH_EVERY, retry: false, meta: { silent: true },
});

/** The signed-in person. Use it only within the shell, which has loaded it. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Polls while the page is visible, so that restrictions appear within five seconds. */
export function useWatchedMe(): Me {
  useQuery({ ...meQuery, refetchInterval: WATCH_EVERY });
  return useMe();
}

/** Opens sign-in, which returns to the open page. */
export function leaveForSignIn(router: AnyRouter): void {
  const { pathname, searchStr } = router.state.location;
  if (!pathname.startsWith('/sign-in')) void router.navigate({ to: '/sign-in', search: { to: pathname + searchStr } });
}

/** Asks for consent, and then returns to the open page. */
export function leaveForConsent(router: AnyRouter): void {
  const { pathname, searchStr } = router.state.location;
  if (!pathname.startsWith('/agree')) void router.navigate({ to: '/agree', search: { to: pathname + searchStr } });
}

/** Returns a function that opens sign-in, for a session that ends outside of a query. */
export function useSessionOver(): () => void {
  const router = useRouter();
  return useCallback(() => leaveForSignIn(router), [router]);
}

/** Returns a function that signs out and opens sign-in. `to`: the dashboard path to open after the next sign-in. */
export function useSignOut(): (to?: string) => Promise<void> {
  const client = useQueryClient();
  return async (to) => {
    await call('signOut', {});
    client.clear();
    keepReturn(undefined);
    forgetConversations();
    window.location.assign(`/dashboard/sign-in${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`);
  };
}
