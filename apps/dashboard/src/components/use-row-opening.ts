import { useLayoutEffect, useRef } from 'react';

interface OpeningRows {
  readonly ids: readonly string[];
  /** Id of the row that is shown open. */
  readonly opened: string | undefined;
  readonly open: (index: number) => void;
  /** `undefined` for rows that do not open in place. */
  readonly close: (() => void) | undefined;
}

/** A page shows a row as open only once the URL has changed, but `close` works as soon as `open` has been called. */
export function useRowOpening({ ids, opened, open, close }: OpeningRows) {
  const last = useRef(opened);
  useLayoutEffect(() => { last.current = opened; }, [opened]);
  return {
    open: (index: number) => {
      last.current = ids[index];
      open(index);
    },
    /** False if no row of the list is open. */
    close: () => {
      if (close === undefined || last.current === undefined || !ids.includes(last.current)) return false;
      last.current = undefined;
      close();
      return true;
    },
  };
}
