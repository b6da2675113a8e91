import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Reply, RouteName } from './call';
import { call } from './call';

const MOST_PAGES = 50;

/** Names a call in the cache; the cache is emptied when the person changes. */
export function keyOf<Name extends RouteName>(name: Name, input?: Input<Name>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** The options of a read, for `useQuery`, loaders and invalidation alike. */
export function routeQuery<Name extends RouteName>(name: Name, input: Input<Name>) {
  return queryOptions({ queryKey: keyOf(name, input), queryFn: ({ signal }): Promise<Reply<Name>> => call(name, input, signal) });
}

/** Reads a route. While the input changes, the data from before stay and `isPlaceholderData` is true. */
export function useRoute<Name extends RouteName>(name: Name, input: Input<Name>, options: { readonly enabled?: boolean; readonly refetchInterval?: number | false } = {}) {
  return useQuery({ ...routeQuery(name, input), placeholderData: keepPreviousData, ...options });
}

/** A page of a list with cursors. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
}

type ItemOf<Name extends RouteName> = Reply<Name> extends Page<infer Item> ? Item : never;

const FIRST_PAGE = '';

/**
 * Reads a list page by page, newest first, and keeps 50 pages: the farthest are dropped, and read again on the way back.
 * `cursorOf` names the next page where the list is continued by an id.
 */
export function useRouteList<Name extends RouteName>(name: Name, input: Input<Name>, cursorOf?: (last: ItemOf<Name>) => string) {
  const [cursorBefore] = useState(() => new Map<string, string>());
  return useInfiniteQuery({
    queryKey: ['list', ...keyOf(name, input)],
    initialPageParam: FIRST_PAGE,
    maxPages: MOST_PAGES,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }) => {
      const query = { ...(input as { query?: object }).query, ...(pageParam === FIRST_PAGE ? {} : { cursor: pageParam }) };
      return (await call(name, { ...input, query }, signal)) as unknown as Page<ItemOf<Name>>;
    },
    getNextPageParam: (page, _pages, cursor) => {
      const next = nextCursor(page, cursorOf);
      if (next !== undefined) cursorBefore.set(next, cursor);
      return next;
    },
    getPreviousPageParam: (_page, _pages, cursor) => cursorBefore.get(cursor),
  });
}

function nextCursor<Item>(page: Page<Item>, cursorOf: ((last: Item) => string) | undefined): string | undefined {
  if (!page.has_more) return undefined;
  if (page.next_cursor !== undefined && page.next_cursor !== null) return page.next_cursor;
  const last = page.data.at(-1);
  return last === undefined || cursorOf === undefined ? undefined : cursorOf(last);
}
