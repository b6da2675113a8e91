import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type Query, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, pageSizeOf, type Input, type Reply, type RouteName } from './call';
import { gatherPage, isContiguous, nextCursorOf, runningSearch, type GatheredPage, type Page, type RunningSearch } from './list-page';

const MAX_ROWS = 5_000;
const FRESH_FOR = 30_000;

/**
 * Query key of a route; without `input`, the beginning of all its keys. It does not contain the person, because the cache is cleared when the person
 * changes.
 */
export function keyOf<Name extends RouteName>(name: Name, input?: Input<Name>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** Key and function that read a route, for `useQuery`, loaders and invalidation. */
export function routeQuery<Name extends RouteName>(name: Name, input: Input<Name>) {
  return queryOptions({ queryKey: keyOf(name, input), queryFn: ({ signal }): Promise<Reply<Name>> => call(name, input, signal) });
}

/** While the data of a changed `input` are read, the previous data stay and `isPlaceholderData` is true. */
export function useRoute<Name extends RouteName>(name: Name, input: Input<Name>, options: { readonly enabled?: boolean; readonly refetchInterval?: number | false } = {}) {
  return useQuery({ ...routeQuery(name, input), placeholderData: keepPreviousData, ...options });
}

export type ItemOf<Name extends RouteName> = Reply<Name> extends Page<infer Item> ? Item : never;

type Kept<Item> = InfiniteData<GatheredPage<Item>, string>;

const FIRST_PAGE = '';

/** Milliseconds for which a list is fresh. A list with several pages never becomes stale by itself: reading it again costs one request per page. */
function freshFor<Item>({ state }: Query<GatheredPage<Item>, Error, Kept<Item>>): number {
  return (state.data?.pages.length ?? 0) > 1 ? Infinity : FRESH_FOR;
}

/**
 * Reads a list by pages, in the order of the API. Keeps at most 5,000 rows: beyond that, the pages at the other end are dropped, and read again when
 * needed. `cursorOf` returns the next cursor of lists that continue by id. `restart` goes to the first rows. During a search with few results,
 * `searching` tells how far it has read, and `stop` ends it.
 */
export function useRouteList<Name extends RouteName>(name: Name, input: Input<Name>, cursorOf?: (last: ItemOf<Name>) => string) {
  const stopped = useRef(false);
  const stop = useCallback(() => { stopped.current = true; }, []);
  const [search, setSearch] = useState<RunningSearch | null>(null);
  const cursorBefore = useRef(new Map<string, string>());
  const queryKey = ['list', ...keyOf(name, input)];
  const key = JSON.stringify(queryKey);
  const list = useInfiniteQuery<GatheredPage<ItemOf<Name>>, Error, Kept<ItemOf<Name>>, QueryKey, string>({
    queryKey, initialPageParam: FIRST_PAGE, maxPages: Math.floor(MAX_ROWS / pageSizeOf(name)), placeholderData: keepPreviousData, staleTime: freshFor,
    // Structural comparison of thousands of rows would take longer than rendering them.
    structuralSharing: false,
    queryFn: async ({ signal, pageParam }) => {
      stopped.current = false;
      const read = async (cursor: string, have: number) => (await call(name, pageInput(name, input, { cursor, have }), signal)) as unknown as Page<ItemOf<Name>>;
      const onSparse = ({ searched_to: searchedTo = null }: Page<ItemOf<Name>>) => setSearch({ queryKey: key, searchedTo });
      try {
        return await gatherPage({ read, from: pageParam, cursorOf, isStopped: () => stopped.current, onSparse });
      } finally {
        // An aborted search was replaced by another one, whose state must stay.
        if (!signal.aborted) setSearch(null);
      }
    },
    getNextPageParam: (page, _pages, cursor) => {
      const next = nextCursorOf(page, cursorOf);
      if (next !== undefined) cursorBefore.current.set(next, cursor);
      return next;
    },
    // A list that is shown again may have lost its earlier cursors; then it restarts at the newest rows.
    getPreviousPageParam: (_page, _pages, cursor) => (cursor === FIRST_PAGE ? undefined : cursorBefore.current.get(cursor) ?? FIRST_PAGE),
  });
  const restart = useRestart(queryKey, list.data, cursorOf);
  return { ...list, queryKey: key, restart, searching: runningSearch(search, { queryKey: key, isFetching: list.isFetching }), stop };
}

/** Limits a request to the rows that the gathered page still lacks, so that the page never has more rows than the largest page of the API. */
function pageInput<Name extends RouteName>(name: Name, input: Input<Name>, { cursor, have }: { readonly cursor: string; readonly have: number }): Input<Name> {
  const { query = {} } = input as { readonly query?: { readonly limit?: number } };
  const limit = (query.limit ?? pageSizeOf(name)) - have;
  return { ...input, query: { ...query, limit, ...(cursor === FIRST_PAGE ? {} : { cursor }) } };
}

/** Returns a function that reads the list again from its newest rows. If new rows appear between the first two pages, only the first page is kept. */
function useRestart<Item>(queryKey: QueryKey, data: Kept<Item> | undefined, cursorOf: ((last: Item) => string) | undefined) {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    if (data === undefined || isContiguous(data.pages, data.pageParams, cursorOf)) return;
    client.setQueryData(JSON.parse(key) as QueryKey, { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) });
  }, [client, key, data, cursorOf]);
  return useCallback(() => client.resetQueries({ queryKey: JSON.parse(key) as QueryKey, exact: true }), [client, key]);
}
