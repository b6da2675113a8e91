/** Rows in a page of the gateway that the lists here read: the most that any route permits. */
export const MAX_PAGE = 100;

/** A page of a list with cursors. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
  /** How far back a list of requests was looked through. */
  readonly searched_to?: string | null | undefined;
}

/** Pages of the gateway that are shown as one. */
export interface GatheredPage<Item> extends Page<Item> {
  /** The search was interrupted before it had found enough: it goes on only if the reader says so. */
  readonly interrupted: boolean;
}

/** A search through pages with few rows, while it goes on. */
export interface RunningSearch {
  /** Identifies the list that is searched. */
  readonly queryKey: string;
  /** How far back it has looked, where the list says so. */
  readonly searchedTo: string | null;
}

/** The search, if its list is the one shown and is being read. An aborted search is over: the reader left its list, by Back for example. */
export function runningSearch(search: RunningSearch | null, shown: { readonly queryKey: string; readonly isFetching: boolean }): RunningSearch | null {
  return shown.isFetching && search?.queryKey === shown.queryKey ? search : null;
}

interface Search<Item> {
  /** Reads one page of the gateway; `have` rows are there already. */
  readonly read: (cursor: string, have: number) => Promise<Page<Item>>;
  readonly from: string;
  /** The next page where the list does not name it. */
  readonly cursorOf?: ((last: Item) => string) | undefined;
  readonly isStopped: () => boolean;
  /** Told of each page that has too few rows, before the next one is read. */
  readonly onSparse?: (page: Page<Item>) => void;
}

/** Filters look through a bounded number of records for each page: so many pages are read without being asked. */
export const MAX_PAGES_UNASKED = 10;
/** About a screen of rows. */
const ENOUGH = 25;

/** The cursor of the page behind this one, `undefined` at the end. */
export function nextCursorOf<Item>(page: Page<Item>, cursorOf?: (last: Item) => string): string | undefined {
  if (!page.has_more) return undefined;
  if (page.next_cursor !== undefined && page.next_cursor !== null) return page.next_cursor;
  const last = page.data.at(-1);
  return last === undefined || cursorOf === undefined ? undefined : cursorOf(last);
}

/** Reads on while pages have hardly any rows, up to ten pages or until it is stopped. */
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

/** Whether the second page goes on where the first one ends: not so where the first was read again and there are newer rows. */
export function isContiguous<Item>(pages: readonly Page<Item>[], cursors: readonly string[], cursorOf?: (last: Item) => string): boolean {
  const [first, second] = pages;
  return first === undefined || second === undefined || nextCursorOf(first, cursorOf) === cursors[1];
}
