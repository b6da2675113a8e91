import { useSyncExternalStore } from 'react';

/** The browser keeps a text for all tabs and visits in `localStorage`, and for one tab in `sessionStorage`. */
type Place = 'localStorage' | 'sessionStorage';

const listeners = new Set<() => void>();

/** `null` if there is none, or if storage is switched off. */
export function storedText(place: Place, name: string): string | null {
  try {
    return window[place].getItem(name);
  } catch {
    return null;
  }
}

/** `null` removes the text. Without effect if storage is switched off or full. */
export function storeText(place: Place, name: string, text: string | null): void {
  try {
    if (text === null) window[place].removeItem(name);
    else window[place].setItem(name, text);
  } catch { /* The choice lasts as long as the page. */ }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The text in `localStorage`; follows changes of other tabs. */
export function useStoredText(name: string): string | null {
  return useSyncExternalStore(subscribe, () => storedText('localStorage', name));
}
