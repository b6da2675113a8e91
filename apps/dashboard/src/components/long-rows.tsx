import { Box } from '@mantine/core';
import type { Header, Row as TableRow } from '@tanstack/react-table';
import { FlexRender } from '@tanstack/react-table';
import { useEffect, useLayoutEffect, useMemo, useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import { mayReadOn, type LongList } from './long-list';
import type { LongFeatures } from './long-table';
import classes from './long-table.module.css';
import { rowShift } from './row-shift';
import { useFocusedRow, useRowKeys } from './use-row-keys';
import { useVirtualRows } from './use-virtual-rows';

interface LongRowsProps<Row extends object> {
  readonly label: string;
  readonly list: LongList<Row>;
  readonly rows: readonly TableRow<LongFeatures, Row>[];
  readonly headers: readonly Header<LongFeatures, Row>[];
  /** Makes a card of a row; `null`: rows have columns. */
  readonly card: ((row: Row) => ReactNode) | null;
  readonly rowHeight: number;
  readonly opened: string | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
}

/** Rows that are left when the next page is read. */
const READ_AHEAD = 40;
const HEAD_HEIGHT = 36;

/** The rows in sight, in a scroll area that is as long as all that are loaded. */
export function LongRows<Row extends object>({ label, list, rows, headers, card, rowHeight, opened, onOpen }: LongRowsProps<Row>) {
  const area = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { place, setId, onFocus } = useFocusedRow(ids);
  const virtual = useVirtualRows({ area, ids, rowHeight, headHeight: card === null ? HEAD_HEIGHT : 0, kept: place });
  const openRow = (index: number) => { const row = rows[index]; if (row !== undefined) onOpen?.(row.original); };
  useRowKeys({ area, ids, place, setId, firstInSight: virtual.range?.startIndex ?? 0, show: (index) => virtual.scrollToIndex(index), open: openRow });
  useStillRows(ids, (shift) => {
    if (area.current !== null) area.current.scrollTop = shift === null ? 0 : area.current.scrollTop + shift * rowHeight;
  });
  useReadOn(list, { first: virtual.range?.startIndex ?? 0, last: virtual.range?.endIndex ?? 0, count: rows.length, goesUp: virtual.scrollDirection === 'backward' });
  const style = { height: virtual.getTotalSize(), '--tracks': headers.map(({ column }) => column.columnDef.meta?.track ?? '1fr').join(' ') } as CSSProperties;
  const shown = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const row = rows[index];
    if (row === undefined) return [];
    const names = [classes['row'], row.id === opened && classes['open'], onOpen !== undefined && classes['clickable']];
    const attributes = {
      'data-index': index, className: names.filter((name) => name !== false).join(' '), style: { transform: `translateY(${start}px)`, height: rowHeight },
      // The keyboard opens the row by its link, which takes the focus.
      onClick: (event: MouseEvent) => { if (isForRow(event)) openRow(index); },
    };
    return [{ row, attributes }];
  });
  return (
    <Box ref={area} component="section" tabIndex={0} aria-label={label} onFocus={onFocus} className={classes['area']}>
      {card === null ? (
        <table aria-label={label} aria-rowcount={-1} className={classes['rows']} style={style}>
          <Head headers={headers} />
          <tbody>
            {shown.map(({ row, attributes }) => (
              <Box component="tr" key={row.id} aria-rowindex={attributes['data-index'] + 2} {...attributes}>
                {row.getAllCells().map((cell) => <td key={cell.id} className={cell.column.columnDef.meta?.numeric === true ? classes['numeric'] : undefined}><FlexRender cell={cell} /></td>)}
              </Box>
            ))}
          </tbody>
        </table>
      ) : (
        <ul aria-label={label} className={classes['cards']} style={style}>
          {shown.map(({ row, attributes }) => <Box component="li" key={row.id} {...attributes}>{card(row.original)}</Box>)}
        </ul>
      )}
    </Box>
  );
}

function Head<Row extends object>({ headers }: { readonly headers: readonly Header<LongFeatures, Row>[] }) {
  return (
    <thead>
      <tr>
        {headers.map((header) => <th key={header.id} scope="col" className={header.column.columnDef.meta?.numeric === true ? classes['numeric'] : undefined}><FlexRender header={header} /></th>)}
      </tr>
    </thead>
  );
}

/** Whether a click was not meant for a link or button within the row, nor for selecting text. */
function isForRow({ target, currentTarget }: MouseEvent): boolean {
  const control = target instanceof Element ? target.closest('a, button') : null;
  return (control === null || !currentTarget.contains(control)) && window.getSelection()?.isCollapsed !== false;
}

/** Says by how many rows the ones that stay have moved, before they are painted; `null` where it is another list. */
function useStillRows(ids: readonly string[], move: (shift: number | null) => void): void {
  const before = useRef(ids);
  useLayoutEffect(() => {
    if (before.current === ids) return;
    const shift = rowShift(before.current, ids);
    before.current = ids;
    if (shift !== 0) move(shift);
  }, [ids, move]);
}

interface Sight {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly goesUp: boolean;
}

/** Reads the next page before its rows are needed, and on the way up those that were dropped. */
function useReadOn<Row>(list: LongList<Row>, { first, last, count, goesUp }: Sight): void {
  const nearEnd = last >= count - READ_AHEAD;
  const nearStart = goesUp && first < READ_AHEAD;
  useEffect(() => {
    if (nearEnd && mayReadOn(list)) void list.fetchNextPage();
    else if (nearStart && list.hasPreviousPage && !list.isFetching && !list.isFetchPreviousPageError) void list.fetchPreviousPage();
  }, [list, nearEnd, nearStart]);
}
