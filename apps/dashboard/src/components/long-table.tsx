import { useMemo, type ReactNode } from 'react';
import { ColumnMenu } from './column-menu';
import { Failure } from './failure';
import type { LongColumn } from './long-columns';
import { ListFoot, SearchedBack } from './list-foot';
import type { LongList } from './long-list';
import classes from './long-table.module.css';
import { LongRows } from './long-rows';
import { Loading } from './part';
import { useColumns, useWidth } from './use-columns';
import { NARROW, useNarrow } from './use-narrow';

export { longColumns } from './long-columns';

interface LongTableProps<Row extends object> {
  /** Key under which the browser stores the chosen columns. */
  readonly name: string;
  /** Accessible name. */
  readonly label: string;
  readonly list: LongList<Row>;
  /** Must be stable: a constant, or memoised. */
  readonly columns: readonly LongColumn<Row>[];
  /** Must be stable. */
  readonly idOf: (row: Row) => string;
  /** Contents of a row's card in narrow windows. */
  readonly card: (row: Row) => ReactNode;
  /** Approximate height in pixels. */
  readonly cardHeight: number;
  /** The width of the window up to which rows are cards. */
  readonly cardsUpTo?: string;
  readonly opened?: string | undefined;
  /** Called for a click or Enter on a row. In each row, the link or button marked `data-row-link` takes the focus. */
  readonly onOpen?: (row: Row) => void;
  /** Shown below the opened row, which closes with Esc. */
  readonly detail?: { readonly of: (row: Row) => ReactNode; readonly label: string; readonly onClose: () => void };
  readonly empty: ReactNode;
  readonly foot?: ReactNode;
}

const SKELETON_HEIGHT = 400;

/** A virtualised table that reads pages ahead. `useRouteList` limits the rows that are kept. */
export function LongTable<Row extends object>({ name, label, list, columns, idOf, card, cardHeight, cardsUpTo = NARROW, opened, onOpen, detail, empty, foot }: LongTableProps<Row>) {
  const { data: pages } = list;
  const data = useMemo(() => pages?.pages.flatMap((page) => page.data) ?? [], [pages]);
  const ids = useMemo(() => data.map(idOf), [data, idOf]);
  const narrow = useNarrow(cardsUpTo);
  const [ref, width] = useWidth();
  const chosen = useColumns(name, columns, width);
  if (pages === undefined && list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (pages === undefined) return list.searching === null ? <Loading height={SKELETON_HEIGHT} /> : <SearchedBack list={list} />;
  return (
    <>
      {list.isPlaceholderData && list.searching !== null && <SearchedBack list={list} />}
      <div ref={ref} className={list.isPlaceholderData ? classes['stale'] : classes['list']} aria-busy={list.isPlaceholderData}>
        {data.length > 0 && !narrow && <ColumnMenu label={label} columns={chosen} />}
        {data.length > 0 && (
          <LongRows key={list.queryKey} label={label} list={list} data={data} ids={ids} columns={chosen.shown} card={narrow ? card : null} rowHeight={narrow ? cardHeight : ROW_HEIGHT} opened={opened} onOpen={onOpen} detail={narrow ? undefined : detail} />
        )}
        {data.length === 0 && (list.hasNextPage ? <SearchedBack list={list} /> : empty)}
        <ListFoot list={list} rows={data.length}>{foot}</ListFoot>
      </div>
    </>
  );
}

const ROW_HEIGHT = 36;
