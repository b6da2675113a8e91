import { useEffect, type Dispatch, type SetStateAction } from 'react';

/**
 * While the palette opens and its field does not have the focus yet, letters are typed into its query. Otherwise they would be shortcuts of the page.
 */
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
