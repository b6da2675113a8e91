import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';

interface VirtualRows {
  readonly area: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  readonly rowHeight: number;
  /** Index of a row that is taller than the others, and by how many pixels; `null` if there is none. */
  readonly taller: { readonly index: number; readonly by: number } | null;
  /** Height of the sticky header in pixels. */
  readonly headHeight: number;
  /** Index of a row that stays rendered when out of view, for example the focused one; `null` for none. */
  readonly kept: number | null;
}

const OVERSCAN = 6;

/** Selects the rows to render. Visible rows keep their position while others are added or removed above. */
export function useVirtualRows({ area, ids, rowHeight, taller, headHeight, kept }: VirtualRows) {
  // Memoised, since the virtualizer computes the positions of all rows again for a new function.
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: ids.length, getScrollElement: () => area.current, estimateSize: (index) => (index === taller?.index ? rowHeight + taller.by : rowHeight), overscan: OVERSCAN, paddingStart: headHeight, scrollPaddingStart: headHeight, useFlushSync: false,
    // Keeps the first visible row in place while rows are added above it.
    getItemKey, anchorTo: 'end',
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return kept === null || shown.includes(kept) ? shown : [...shown, kept].toSorted((first, second) => first - second);
    },
  });
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // Not on the first render: `measure` would forget the heights of the rows that have just been measured.
    if (isFirst.current) isFirst.current = false;
    else virtual.measure();
  }, [virtual, rowHeight, taller?.index, taller?.by]);
  return virtual;
}
