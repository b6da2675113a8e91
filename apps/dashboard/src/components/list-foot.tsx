import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '#texts/common';
import { lists } from '#texts/lists';
import { shortInstant } from '../format/instant';
import { Failure } from './failure';
import { isInterrupted, type LongList } from './long-list';
import classes from './long-table.module.css';

/** How far a search went that found little, and the way on. */
export function SearchedBack({ list }: { readonly list: LongList<unknown> }) {
  const searchedTo = list.data?.pages.at(-1)?.searched_to;
  if (list.isFetchingNextPage) {
    return <div className={classes['searched']}>{lists.searching} <Button size="xs" variant="default" onClick={list.stop}>{lists.stop}</Button></div>;
  }
  return (
    <div className={classes['searched']}>
      <span>{searchedTo === undefined || searchedTo === null ? lists.searched : lists.searchedTo(shortInstant(searchedTo))}</span>
      <Button size="xs" variant="default" onClick={() => void list.fetchNextPage()}>{lists.searchFurther}</Button>
    </div>
  );
}

interface ListFootProps {
  readonly list: LongList<unknown>;
  readonly rows: number;
  readonly children: ReactNode;
}

/** Says what of the list is shown, and offers what can be done with it. */
export function ListFoot({ list, rows, children }: ListFootProps) {
  const failed = list.isFetchNextPageError || list.isFetchPreviousPageError;
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.fetchPreviousPage());
  return (
    <>
      {failed && <Failure error={list.error} onRetry={retry} />}
      {rows > 0 && isInterrupted(list) && <SearchedBack list={list} />}
      <div className={classes['foot']}>
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
