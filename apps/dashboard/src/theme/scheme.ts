import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const STORED_AS = 'scheme';

function read(fallback: MantineColorScheme): MantineColorScheme {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return stored === 'light' || stored === 'dark' || stored === 'auto' ? stored : fallback;
  } catch {
    return fallback;
  }
}

/** Stores the choice where `public/theme.js` reads it before the first paint. */
export function schemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: read,
    set: (scheme) => {
      try { localStorage.setItem(STORED_AS, scheme); } catch { /* Storage is switched off: the choice lasts as long as the page. */ }
    },
    subscribe: (onUpdate) => {
      listener = ({ key }) => { if (key === STORED_AS) onUpdate(read('auto')); };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => { if (listener !== undefined) window.removeEventListener('storage', listener); },
    clear: () => { try { localStorage.removeItem(STORED_AS); } catch { /* As above. */ } },
  };
}
