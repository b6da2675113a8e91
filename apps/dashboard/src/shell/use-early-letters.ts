import { useEffect, type Dispatch, type SetStateAction } from 'react';

/** From opening the palette until its field has the focus, letters are typed into its query; otherwise they would be shortcuts of the page. */
export function useEarlyLetters(wish: number, setQuery: Dispatch<SetStateAction<string>>): void {
  useEffect(() => {
    if (wish === 0) return undefined;
    const ended = new AbortController();
    const end = () => ended.abort();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') end();
      if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      setQuery((query) => query + event.key);
    };
    const options = { capture: true, signal: ended.signal };
    window.addEventListener('keydown', onKey, options);
    window.addEventListener('focusin', end, options);
    window.addEventListener('pointerdown', end, options);
    return end;
  }, [wish, setQuery]);
}
