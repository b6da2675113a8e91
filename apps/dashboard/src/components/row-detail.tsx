import { createContext, type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { RightIcon } from './icons';
import classes from './long-table.module.css';

const RowOpen = createContext<boolean | null>(null);

/** Whether the row is open; `null` for rows that do not open in place. */
export const RowOpenProvider = RowOpen.Provider;

export function useRowOpen(): boolean | null {
  return useContext(RowOpen);
}

/** Arrow of a row that opens in place; it turns when the row opens. */
export function RowMark() {
  const isOpen = useRowOpen();
  return isOpen === null ? null : <RightIcon size={12} className={isOpen ? classes['turned'] : classes['mark']} />;
}

interface RowDetailProps {
  readonly index: number;
  /** Distance from the top of the table, in pixels. */
  readonly start: number;
  readonly columns: number;
  readonly label: string;
  readonly onHeight: (height: number) => void;
  readonly children: ReactNode;
}

/** Details of an open row, shown below it. */
export function RowDetail({ index, start, columns, label, onHeight, children }: RowDetailProps) {
  const contents = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = contents.current;
    if (element === null) return undefined;
    const measure = () => onHeight(element.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [onHeight]);
  return (
    <tr data-index={index} data-row-detail className={classes['detail']} style={{ transform: `translateY(${start}px)` }}>
      <td colSpan={columns}><section ref={contents} aria-label={label} className={classes['contents']}>{children}</section></td>
    </tr>
  );
}
