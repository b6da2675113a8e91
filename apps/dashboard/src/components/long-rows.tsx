import { Box } from '@mantine/core';
import type { Header, Row as TableRow } from '@tanstack/react-table';
import { FlexRender, useTable } from '@tanstack/react-table';
import { memo, useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import { numberOf } from '../format/number';
import { leastWidth, spaceOf } from './column-choice';
import { longFeatures, type LongColumn, type LongFeatures } from './long-columns';
import { mayReadOn, type LongList } from './long-list';
import classes from './long-table.module.css';
import { RowDetail, RowOpenProvider } from './row-detail';
import { haveRowsInCommon } from './rows-in-common';
import { useFocusedRow, useRowKeys } from './use-row-keys';
import { useRowOpening } from './use-row-opening';
import { useVirtualRows } from './use-virtual-rows';

interface LongRowsProps<Row extends object> {
  readonly label: string;
  readonly list: LongList<Row>;
  readonly data: readonly Row[];
  readonly ids: readonly string[];
  readonly columns: readonly LongColumn<Row>[];
  /** Contents of a card; `null` to show columns instead of cards. */
  readonly card: ((row: Row) => ReactNode) | null;
  /** Height of a table row. For cards it is an estimate, because a card is as high as its contents. */
  readonly rowHeight: number;
  readonly opened: string | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly detail: { readonly of: (row: Row) => ReactNode; readonly label: string; readonly onClose: () => void } | undefined;
}

/** The next page is read if fewer loaded rows than this remain beyond the visible ones. */
const READ_AHEAD = 40;
const HEAD_HEIGHT = 36;

/** Renders only the visible rows, a few beyond each edge and the focused row, in a scroll area as high as all loaded rows. */
export function LongRows<Row extends object>({ label, list, data, ids, columns, card, rowHeight, opened, onOpen, detail }: LongRowsProps<Row>) {
  const area = useRef<HTMLDivElement>(null);
  const { place, setId, onFocus } = useFocusedRow(ids);
  const [detailHeight, setDetailHeight] = useState(0);
  const openIndex = detail === undefined || opened === undefined ? -1 : ids.indexOf(opened);
  const taller = openIndex < 0 ? null : { index: openIndex, by: detailHeight };
  const virtual = useVirtualRows({ area, ids, rowHeight, taller, headHeight: card === null ? HEAD_HEIGHT : 0, kept: place });
  const opening = useRowOpening({ ids, opened, open: (index) => { const row = data[index]; if (row !== undefined) onOpen?.(row); }, close: detail?.onClose });
  const { startIndex: first = 0, endIndex: last = 0 } = virtual.range ?? {};
  useRowKeys({ area, ids, place, setId, inSight: { first, last }, show: (index) => virtual.scrollToIndex(index), ...opening });
  useNewList(ids, () => area.current?.scrollTo({ top: 0 }));
  useReadOn(list, { first, last, count: data.length, goesUp: virtual.scrollDirection === 'backward' });
  const inSight = virtual.getVirtualItems().filter(({ index }) => index in data);
  // The table contains only the rendered rows: creating thousands with each page would be noticeable.
  const table = useTable<LongFeatures, Row>({ features: longFeatures, columns, data: inSight.flatMap(({ index }) => data[index] ?? []) });
  const headers = table.getFlatHeaders();
  const tracks = headers.map(({ column }) => column.columnDef.meta?.track ?? '1fr');
  const style = { height: virtual.getTotalSize(), '--tracks': tracks.join(' '), '--least': `${spaceOf(tracks.map((track) => ({ width: leastWidth(track) })))}px` } as CSSProperties;
  const items = table.getRowModel().rows.flatMap((row, position) => {
    const item = inSight[position];
    if (item === undefined) return [];
    const { index, start } = item;
    const isOpen = ids[index] === opened;
    const line = <LongRow key={ids[index]} {...{ row, columns, index, start, card, rowHeight, isOpen }} measure={virtual.measureElement} opensInPlace={detail !== undefined} isClickable={onOpen !== undefined} />;
    if (!isOpen || detail === undefined) return [line];
    return [line, <RowDetail key="detail" index={index} start={start + rowHeight} columns={columns.length} label={detail.label} onHeight={setDetailHeight}>{detail.of(row.original)}</RowDetail>];
  });
  const onClick = (event: MouseEvent) => {
    const index = onOpen === undefined ? null : clickedRow(event);
    if (index !== null) opening.open(index);
  };
  return (
    <Box ref={area} component="section" tabIndex={0} aria-label={label} onFocus={onFocus} onClick={onClick} className={classes['area']}>
      {card === null ? (
        <table aria-label={label} aria-rowcount={-1} className={classes['rows']} style={style}>
          <Head headers={headers} />
          <tbody>{items}</tbody>
        </table>
      ) : <ul aria-label={label} className={classes['cards']} style={style}>{items}</ul>}
    </Box>
  );
}

interface LongRowProps<Row extends object> extends Pick<LongRowsProps<Row>, 'columns' | 'card' | 'rowHeight'> {
  readonly row: TableRow<LongFeatures, Row>;
  readonly index: number;
  readonly start: number;
  readonly isOpen: boolean;
  readonly opensInPlace: boolean;
  readonly isClickable: boolean;
  readonly measure: (card: HTMLElement | null) => void;
}

const LOOKS = ['columns', 'index', 'start', 'card', 'rowHeight', 'isOpen', 'opensInPlace', 'isClickable'] as const;

function PlainRow<Row extends object>({ row, columns, index, start, card, rowHeight, isOpen, opensInPlace, isClickable, measure }: LongRowProps<Row>) {
  const names = [classes['row'], isOpen && classes['open'], isClickable && classes['clickable']];
  const attributes = { 'data-index': index, className: names.filter((name) => name !== false).join(' '), style: { transform: `translateY(${start}px)`, ...(card === null ? { height: rowHeight } : {}) } };
  const contents = <RowOpenProvider value={opensInPlace ? isOpen : null}><RowContents row={row} columns={columns} card={card} /></RowOpenProvider>;
  return card === null ? <tr aria-rowindex={index + 2} {...attributes}>{contents}</tr> : <li ref={measure} {...attributes}>{contents}</li>;
}

/** Memoised: a row is rendered again only if its data or look change. */
const LongRow = memo(PlainRow, (before, after) => before.row.original === after.row.original && LOOKS.every((name) => before[name] === after[name])) as typeof PlainRow;

/** Keyed by column: the library's cell ids change with a row's index, which would lose the focus. */
function PlainContents<Row extends object>({ row, card }: Pick<LongRowProps<Row>, 'row' | 'columns' | 'card'>) {
  if (card !== null) return card(row.original);
  return row.getAllCells().map((cell) => <td key={cell.column.id} className={cell.column.columnDef.meta?.numeric === true ? classes['numeric'] : undefined}><FlexRender cell={cell} /></td>);
}

/** Memoised: when an earlier page is dropped, all rows move, but their contents stay the same. */
const RowContents = memo(PlainContents, (before, after) => before.row.original === after.row.original && before.columns === after.columns && before.card === after.card) as typeof PlainContents;

function Head<Row extends object>({ headers }: { readonly headers: readonly Header<LongFeatures, Row>[] }) {
  return (
    <thead>
      <tr>
        {headers.map((header) => <th key={header.id} scope="col" className={header.column.columnDef.meta?.numeric === true ? classes['numeric'] : undefined}><FlexRender header={header} /></th>)}
      </tr>
    </thead>
  );
}

/** Index of the row to open; `null` for a click on another link or button, with a modifier key, or that ends a text selection. */
function clickedRow(event: MouseEvent): number | null {
  const { target, defaultPrevented, ctrlKey, metaKey, shiftKey, button } = event;
  if (!(target instanceof Element) || defaultPrevented || ctrlKey || metaKey || shiftKey || button !== 0) return null;
  const row = target.closest('[data-index]:not([data-row-detail])');
  const control = target.closest('a, button');
  const isLink = control?.matches('[data-row-link]') === true;
  if (row === null || (control !== null && !isLink) || (!isLink && window.getSelection()?.isCollapsed === false)) return null;
  if (isLink) event.preventDefault();
  return numberOf(row.getAttribute('data-index') ?? '');
}

/** Calls `begin` before the browser paints a list that has no rows in common with the previous one. */
function useNewList(ids: readonly string[], begin: () => void): void {
  const before = useRef(ids);
  useLayoutEffect(() => {
    if (before.current === ids) return;
    const isSame = haveRowsInCommon(before.current, ids);
    before.current = ids;
    if (!isSame) begin();
  }, [ids, begin]);
}

interface Sight {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly goesUp: boolean;
}

/** Reads further pages in both directions, before their rows are visible. */
function useReadOn<Row>(list: LongList<Row>, { first, last, count, goesUp }: Sight): void {
  const nearEnd = last >= count - READ_AHEAD;
  const nearStart = goesUp && first < READ_AHEAD;
  useEffect(() => {
    if (nearEnd && mayReadOn(list)) void list.fetchNextPage();
    else if (nearStart && list.hasPreviousPage && !list.isFetching && !list.isFetchPreviousPageError) void list.fetchPreviousPage();
  }, [list, nearEnd, nearStart]);
}
