import type { InfiniteData } from '@tanstack/react-query';
import type { GatheredPage, RunningSearch } from '../api/list-page';

/** What a long table needs of the list that `useRouteList` returns. */
export interface LongList<Row> {
  /** Identifies the list in the cache. A list with another key begins at its top. */
  readonly queryKey: string;
  readonly data: InfiniteData<GatheredPage<Row>, string> | undefined;
  readonly error: Error | null;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isPlaceholderData: boolean;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly isFetchPreviousPageError: boolean;
  readonly isFetchingNextPage: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly fetchPreviousPage: () => Promise<unknown>;
  /** While pages with few rows are looked through. */
  readonly searching: RunningSearch | null;
  /** Shows the newest rows. */
  readonly restart: () => Promise<unknown>;
  /** Ends that search, and keeps what it found. */
  readonly stop: () => void;
}

/** Whether the search for more rows waits for the reader. */
export function isInterrupted(list: LongList<unknown>): boolean {
  return list.hasNextPage && list.data?.pages.at(-1)?.interrupted === true;
}

/** Whether the list may be read on by itself. */
export function mayReadOn(list: LongList<unknown>): boolean {
  return list.hasNextPage && !list.isFetching && !list.isFetchNextPageError && !isInterrupted(list);
}
