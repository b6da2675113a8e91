import { useMemo, type ReactNode } from 'react';
import { Failure } from './failure';
import type { LongColumn } from './long-columns';
import { ListFoot, SearchedBack } from './list-foot';
import type { LongList } from './long-list';
import classes from './long-table.module.css';
import { LongRows } from './long-rows';
import { Loading } from './part';
import { useNarrow } from './use-narrow';

export { longColumns } from './long-columns';

interface LongTableProps<Row extends object> {
  /** Names the table and its scroll area. */
  readonly label: string;
  /** What `useRouteList` returns. */
  readonly list: LongList<Row>;
  /** Made once, outside of the component or by `useMemo`. */
  readonly columns: readonly LongColumn<Row>[];
  /** As stable as the columns. */
  readonly idOf: (row: Row) => string;
  /** A row in a narrow window, of `cardHeight` pixels. */
  readonly card: (row: Row) => ReactNode;
  readonly cardHeight: number;
  /** The id of the row that is open. */
  readonly opened?: string | undefined;
  /** Opens a row, by a click or Enter. The row's link or button, marked `data-row-link`, does the same and takes the focus. */
  readonly onOpen?: (row: Row) => void;
  /** What stands in place of a list without rows. */
  readonly empty: ReactNode;
  /** Stands below the list, such as "Jump to a time". */
  readonly foot?: ReactNode;
}

const SKELETON_HEIGHT = 400;

/** A list of any length: rows that are in sight are in the document, pages are loaded before the end is reached, and 50 of them are kept. */
export function LongTable<Row extends object>({ label, list, columns, idOf, card, cardHeight, opened, onOpen, empty, foot }: LongTableProps<Row>) {
  const { data: pages } = list;
  const data = useMemo(() => pages?.pages.flatMap((page) => page.data) ?? [], [pages]);
  const ids = useMemo(() => data.map(idOf), [data, idOf]);
  const narrow = useNarrow();
  if (pages === undefined && list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (pages === undefined) return list.searching === null ? <Loading height={SKELETON_HEIGHT} /> : <SearchedBack list={list} />;
  return (
    <>
      {list.isPlaceholderData && list.searching !== null && <SearchedBack list={list} />}
      <div className={list.isPlaceholderData ? classes['stale'] : classes['list']} aria-busy={list.isPlaceholderData}>
        {data.length > 0 && (
          <LongRows key={list.queryKey} label={label} list={list} data={data} ids={ids} columns={columns} card={narrow ? card : null} rowHeight={narrow ? cardHeight : ROW_HEIGHT} opened={opened} onOpen={onOpen} />
        )}
        {data.length === 0 && (list.hasNextPage ? <SearchedBack list={list} /> : empty)}
        <ListFoot list={list} rows={data.length}>{foot}</ListFoot>
      </div>
    </>
  );
}

const ROW_HEIGHT = 36;
