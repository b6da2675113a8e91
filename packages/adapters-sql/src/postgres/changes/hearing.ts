import type { ChangeListener } from '@tollgate/core';

/** One listener in place of several. */
export function hearing(...listeners: readonly ChangeListener[]): ChangeListener {
  return {
    changed: (change) => listeners.forEach((listener) => listener.changed(change)),
    disconnected: () => listeners.forEach((listener) => listener.disconnected()),
    missed: () => listeners.forEach((listener) => listener.missed()),
  };
}
