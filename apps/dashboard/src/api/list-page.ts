export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
  /** Time of the oldest record that the search has read; absent for lists without a search. */
  readonly searched_to?: string | null | undefined;
}

/** Several API pages shown as one. */
export interface GatheredPage<Item> extends Page<Item> {
  /** True if the search stopped early; the user can continue it. */
  readonly interrupted: boolean;
}

/** A search that goes on because the pages read so far have too few rows. */
export interface RunningSearch {
  readonly queryKey: string;
  /** Time of the oldest record that the search has read; `null` if the list does not state it. */
  readonly searchedTo: string | null;
}

/** Returns the search while its list is shown and still being read, otherwise `null`: showing another list aborts the search. */
export function runningSearch(search: RunningSearch | null, shown: { readonly queryKey: string; readonly isFetching: boolean }): RunningSearch | null {
  return shown.isFetching && search?.queryKey === shown.queryKey ? search : null;
}

interface Search<Item> {
  /** `have`: number of rows read so far. */
  readonly read: (cursor: string, have: number) => Promise<Page<Item>>;
  readonly from: string;
  /** Cursor of the page after this row, for lists without `next_cursor`. */
  readonly cursorOf?: ((last: Item) => string) | undefined;
  readonly isStopped: () => boolean;
  /** Called with each page after which there are still too few rows, before the next page is read. */
  readonly onSparse?: (page: Page<Item>) => void;
}

/**
 * Number of pages that are read before the user is asked to continue. A filtered page may have few rows, because the gateway searches only a bounded
 * number of records for it.
 */
export const MAX_PAGES_UNASKED = 10;
/** Number of rows that fill about one screen. */
const ENOUGH = 25;

/** Cursor of the next page; `undefined` at the end of the list, or if the page has neither a cursor nor a last row for `cursorOf`. */
export function nextCursorOf<Item>(page: Page<Item>, cursorOf?: (last: Item) => string): string | undefined {
  if (!page.has_more) return undefined;
  if (page.next_cursor !== undefined && page.next_cursor !== null) return page.next_cursor;
  const last = page.data.at(-1);
  return last === undefined || cursorOf === undefined ? undefined : cursorOf(last);
}

/** Reads pages until they have 25 rows together, the list ends, ten pages are read or `isStopped` returns true. */
export async function gatherPage<Item>({ read, from, cursorOf, isStopped, onSparse }: Search<Item>): Promise<GatheredPage<Item>> {
  let page = await read(from, 0);
  const data = [...page.data];
  for (let pages = 1; ; pages += 1) {
    const cursor = nextCursorOf(page, cursorOf);
    if (cursor === undefined || data.length >= ENOUGH) return { ...page, data, interrupted: false };
    if (pages === MAX_PAGES_UNASKED || isStopped()) return { ...page, data, interrupted: true };
    onSparse?.(page);
    page = await read(cursor, data.length);
    data.push(...page.data);
  }
}

/** False if the first page, when read again, no longer ends where the second begins. */
export function isContiguous<Item>(pages: readonly Page<Item>[], cursors: readonly string[], cursorOf?: (last: Item) => string): boolean {
  const [first, second] = pages;
  return first === undefined || second === undefined || nextCursorOf(first, cursorOf) === cursors[1];
}
