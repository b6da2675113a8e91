import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '#texts/common';
import { lists } from '#texts/lists';
import { shortInstant } from '../format/instant';
import { Failure } from './failure';
import { isInterrupted, type LongList } from './long-list';
import classes from './long-table.module.css';

/** Progress or result of a search that finds few rows, with buttons to continue or stop. */
export function SearchedBack({ list }: { readonly list: LongList<unknown> }) {
  const isRunning = list.searching !== null || list.isFetchingNextPage;
  // Placeholder data belong to the previous filter, not to this search.
  const before = list.isPlaceholderData ? null : list.data?.pages.at(-1)?.searched_to;
  const searchedTo = list.searching?.searchedTo ?? before ?? null;
  const text = searchedTo === null ? (isRunning ? '' : lists.searched) : lists.searchedTo(shortInstant(searchedTo));
  return (
    <div className={classes['searched']}>
      <output>{isRunning && <>{lists.searching} </>}{text}</output>
      {isRunning
        ? <Button size="xs" variant="default" onClick={list.stop}>{lists.stop}</Button>
        : <Button size="xs" variant="default" onClick={() => void list.fetchNextPage()}>{lists.searchFurther}</Button>}
    </div>
  );
}

interface ListFootProps {
  readonly list: LongList<unknown>;
  readonly rows: number;
  readonly children: ReactNode;
}

export function ListFoot({ list, rows, children }: ListFootProps) {
  const failed = list.isFetchNextPageError || list.isFetchPreviousPageError;
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.fetchPreviousPage());
  return (
    <>
      {failed && <Failure error={list.error} onRetry={retry} />}
      {rows > 0 && !list.isPlaceholderData && (isInterrupted(list) || list.searching !== null) && <SearchedBack list={list} />}
      <div className={rows === 0 ? `${classes['foot']} ${classes['lone']}` : classes['foot']}>
        <output className={rows === 0 ? 'visually-hidden' : undefined}>{rows > 0 && <>{lists.shown(rows)}{' · '}{progress(list)}</>}</output>
        {children}
        <Button size="compact-sm" variant="subtle" onClick={() => void list.restart()}>{list.hasPreviousPage ? lists.newest : lists.refresh}</Button>
      </div>
    </>
  );
}

function progress(list: LongList<unknown>): string {
  if (list.isFetchingNextPage) return lists.loading;
  return list.hasNextPage ? lists.olderLoad : common.endOfList;
}
