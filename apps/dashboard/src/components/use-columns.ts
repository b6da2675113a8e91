import { useCallback, useMemo, useState } from 'react';
import { storeText, useStoredText } from '../session/stored-text';
import { fittingColumns, isWiderThan, leastWidth, type PlacedColumn, readChoice } from './column-choice';
import type { LongColumn } from './long-columns';

interface ColumnName {
  readonly id: string;
  readonly name: string;
}

export interface Columns<Row extends object> {
  readonly shown: readonly LongColumn<Row>[];
  readonly all: readonly ColumnName[];
  /** Columns that do not fit; empty once the person has chosen columns. */
  readonly cut: readonly ColumnName[];
  readonly isWider: boolean;
  readonly isChosen: boolean;
  /** `null` discards the person's choice: the columns that fit are shown. */
  readonly choose: (ids: readonly string[] | null) => void;
}

/** The width of an element; `null` before it is rendered. */
export function useWidth(): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, width: number | null] {
  const [width, setWidth] = useState<number | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

function placedOf<Row extends object>({ id = '', meta }: LongColumn<Row>): PlacedColumn {
  return { id, width: leastWidth(meta?.track ?? ''), leaves: meta?.leaves, isExtra: meta?.isExtra };
}

function nameOf<Row extends object>({ id = '', header }: LongColumn<Row>): ColumnName {
  return { id, name: typeof header === 'string' ? header : id };
}

/** The columns that fit, or those that the person chose, which the browser keeps for each table. */
export function useColumns<Row extends object>(table: string, columns: readonly LongColumn<Row>[], width: number | null): Columns<Row> {
  const place = `columns:${table}`;
  const text = useStoredText(place);
  const placed = useMemo(() => columns.map(placedOf), [columns]);
  const choice = readChoice(text, placed);
  const ids = (choice ?? fittingColumns(placed, width)).join(' ');
  const shown = useMemo(() => columns.filter(({ id = '' }) => ids.split(' ').includes(id)), [columns, ids]);
  const cut = choice === null ? columns.filter((column) => column.meta?.isExtra !== true && !shown.includes(column)).map(nameOf) : [];
  return {
    shown, all: columns.map(nameOf), cut, isWider: isWiderThan(shown.map(placedOf), width), isChosen: choice !== null,
    choose: (chosen) => storeText('localStorage', place, chosen === null ? null : JSON.stringify(chosen)),
  };
}
