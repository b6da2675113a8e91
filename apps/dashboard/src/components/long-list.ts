import type { InfiniteData } from '@tanstack/react-query';
import type { GatheredPage, RunningSearch } from '../api/list-page';

/** The part of `useRouteList`'s result that long tables need. */
export interface LongList<Row> {
  /** A list with another key starts at the top. */
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
  /** The running search through pages with few rows; `null` if there is none. */
  readonly searching: RunningSearch | null;
  readonly restart: () => Promise<unknown>;
  /** Ends the search, keeping its results. */
  readonly stop: () => void;
}

/** True if the search stopped early and the user can continue it. */
export function isInterrupted(list: LongList<unknown>): boolean {
  return list.hasNextPage && list.data?.pages.at(-1)?.interrupted === true;
}

export function mayReadOn(list: LongList<unknown>): boolean {
  return list.hasNextPage && !list.isFetching && !list.isFetchNextPageError && !isInterrupted(list);
}
