import { describe, expect, it } from '@jest/globals';
import { numberOf } from '../format/number.js';
import { gatherPage, isContiguous, MAX_PAGES_UNASKED, runningSearch, type Page } from './list-page.js';

/** Read function for pages of the given sizes; the last page has no successor. */
function listOf(sizes: readonly number[]) {
  const asked: { readonly cursor: string; readonly have: number }[] = [];
  const read = (cursor: string, have: number): Promise<Page<string>> => {
    asked.push({ cursor, have });
    const at = cursor === '' ? 0 : numberOf(cursor);
    const hasMore = at + 1 < sizes.length;
    return Promise.resolve({
      data: Array.from({ length: sizes[at] ?? 0 }, (_, row) => `${at}.${row}`), has_more: hasMore, next_cursor: hasMore ? String(at + 1) : null, searched_to: `t${at}`,
    });
  };
  return { read, asked };
}

const going = { from: '', isStopped: () => false };

describe('a page of rows', () => {
  it('is a single page of the gateway if that page has enough rows', async () => {
    const { read, asked } = listOf([100, 100]);
    const page = await gatherPage({ read, ...going });
    expect([page.data.length, page.next_cursor, page.interrupted, asked.length]).toEqual([100, '1', false, 1]);
  });

  it('combines several pages of the gateway that have few rows, and states how far it searched', async () => {
    const { read, asked } = listOf([0, 3, 0, 40, 9]);
    const page = await gatherPage({ read, ...going });
    expect([page.data.length, page.next_cursor, page.searched_to, page.interrupted]).toEqual([43, '4', 't3', false]);
    expect(asked.map(({ have }) => have)).toEqual([0, 0, 3, 3]);
  });

  it('is empty, with no page after it, if the list ends without a row', async () => {
    const page = await gatherPage({ read: listOf([0, 0, 0]).read, ...going });
    expect([page.data.length, page.has_more, page.interrupted]).toEqual([0, false, false]);
  });

  it('is interrupted after ten empty pages', async () => {
    const { read, asked } = listOf(Array.from({ length: 30 }, () => 0));
    const page = await gatherPage({ read, ...going });
    expect([page.interrupted, page.next_cursor, asked.length]).toEqual([true, '10', MAX_PAGES_UNASKED]);
  });

  it('is preceded by a report of each page of the gateway that has too few rows', async () => {
    const told: (string | null | undefined)[] = [];
    await gatherPage({ read: listOf([0, 3, 40, 9]).read, ...going, onSparse: ({ searched_to: searchedTo }) => void told.push(searchedTo) });
    expect(told).toEqual(['t0', 't1']);
  });

  it('keeps its rows if the user interrupts the search', async () => {
    const { read, asked } = listOf([0, 2, 0, 0, 0]);
    const page = await gatherPage({ read, from: '', isStopped: () => asked.length === 2 });
    expect([page.interrupted, page.data, page.next_cursor]).toEqual([true, ['1.0', '1.1'], '2']);
  });

  it('continues after the id of its last row if the list has no cursor', async () => {
    const pages: Record<string, Page<string>> = { '': { data: ['a', 'b'], has_more: true }, b: { data: ['c'], has_more: false } };
    const page = await gatherPage({ read: (cursor) => Promise.resolve(pages[cursor] ?? { data: [], has_more: false }), cursorOf: (last) => last, ...going });
    expect(page.data).toEqual(['a', 'b', 'c']);
  });
});

describe('pages of a list', () => {
  const first = { data: ['a'], has_more: true, next_cursor: 'x' };
  const second = { data: ['b'], has_more: false };

  it('are contiguous if the second begins where the first ends', () => {
    expect(isContiguous([first, second], ['', 'x'])).toBe(true);
    expect(isContiguous([first], [''])).toBe(true);
  });

  it('are not contiguous if the first, when read again, no longer ends where the second begins', () => {
    expect(isContiguous([{ ...first, next_cursor: 'y' }, second], ['', 'x'])).toBe(false);
  });
});

describe('a running search', () => {
  const search = { queryKey: 'by model', searchedTo: '2026-11-01T00:00:00Z' };

  it('is returned for the list that it searches, while that list is read', () => {
    expect(runningSearch(search, { queryKey: 'by model', isFetching: true })).toEqual(search);
    expect(runningSearch(null, { queryKey: 'by model', isFetching: true })).toBeNull();
  });

  it('is not returned for another list', () => {
    expect(runningSearch(search, { queryKey: 'all', isFetching: true })).toBeNull();
  });

  it('is not returned once its list is no longer read', () => {
    expect(runningSearch(search, { queryKey: 'by model', isFetching: false })).toBeNull();
  });
});
