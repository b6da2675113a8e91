import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { numberOf } from '../format/number';
import { isForPage, isOutsideControls } from './page-keys';

/** Remembers the row that last had the focus. `place` is its index, `null` if the list does not contain it. */
export function useFocusedRow(ids: readonly string[]) {
  const [id, setId] = useState<string | null>(null);
  const place = id === null ? -1 : ids.indexOf(id);
  const onFocus = ({ target }: FocusEvent) => {
    const index = target.closest('[data-index]')?.getAttribute('data-index');
    if (index !== null && index !== undefined) setId(ids[numberOf(index)] ?? null);
  };
  return { place: place < 0 ? null : place, setId, onFocus };
}

interface RowKeys {
  readonly area: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** Index of the row that last had the focus; `null` if the list does not contain it. */
  readonly place: number | null;
  readonly setId: (id: string | null) => void;
  /** Indexes of the first and the last visible row. */
  readonly inSight: { readonly first: number; readonly last: number };
  /** Scrolls to the row. */
  readonly show: (index: number) => void;
  readonly open: (index: number) => void;
  /** Closes the open row. Returns false if no row is open. */
  readonly close: () => boolean;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/**
 * Index of the row that `j` or `k` moves to; `undefined` at the ends and for other keys. The first visible row if the last focused row is out of
 * view.
 */
function nextRow(key: string, { place, ids, inSight: { first, last } }: RowKeys): number | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const next = place === null || place < first - 1 || place > last + 1 ? first : place + step;
  return next in ids ? next : undefined;
}

function focusRow(area: HTMLElement | null, index: number): void {
  area?.querySelector<HTMLElement>(`[data-index="${index}"]:not([data-row-detail]) [data-row-link]`)?.focus({ preventScroll: true });
}

/** `j` and `k` move the focus to another row, Enter opens the row, and Esc closes it or, if none is open, moves the focus to the list. */
export function useRowKeys(keys: RowKeys): void {
  const wanted = useRef<string | null>(null);
  // Synchronously, so that a key pressed immediately afterwards acts on the new row.
  useLayoutEffect(() => {
    const { area, ids, place } = keys;
    if (place === null || ids[place] !== wanted.current) return;
    wanted.current = null;
    focusRow(area.current, place);
  });
  useEffect(() => {
    const { area, ids, place, setId, show, open, close } = keys;
    const listen = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const next = nextRow(event.key, keys);
      if (next !== undefined) {
        event.preventDefault();
        show(next);
        wanted.current = ids[next] ?? null;
        setId(wanted.current);
      } else if (place !== null && event.key === 'Enter' && area.current?.contains(document.activeElement) === true && isOutsideControls(event)) open(place);
      else if (event.key === 'Escape' && close()) {
        if (place !== null) focusRow(area.current, place);
      } else if (place !== null && event.key === 'Escape') {
        setId(null);
        area.current?.focus({ preventScroll: true });
      }
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
}
