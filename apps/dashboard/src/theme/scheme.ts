import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { storedText, storeText } from '../session/stored-text';

const STORED_AS = 'scheme';

function read(fallback: MantineColorScheme): MantineColorScheme {
  const stored = storedText('localStorage', STORED_AS);
  return stored === 'light' || stored === 'dark' || stored === 'auto' ? stored : fallback;
}

/** Stores the choice where `public/theme.js` reads it before the first paint. */
export function schemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: read,
    set: (scheme) => storeText('localStorage', STORED_AS, scheme),
    subscribe: (onUpdate) => {
      listener = ({ key }) => { if (key === STORED_AS) onUpdate(read('auto')); };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => { if (listener !== undefined) window.removeEventListener('storage', listener); },
    clear: () => storeText('localStorage', STORED_AS, null),
  };
}
