import type { ChangeListener } from '@tollgate/core';

export function combinedListener(...listeners: readonly ChangeListener[]): ChangeListener {
  return {
    changed: (change) => listeners.forEach((listener) => listener.changed(change)),
    disconnected: () => listeners.forEach((listener) => listener.disconnected()),
    missed: () => listeners.forEach((listener) => listener.missed()),
  };
}
