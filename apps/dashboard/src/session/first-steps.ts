import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function nameOf(account: string): string {
  return `first-steps:${account}:closed`;
}

function isClosed(account: string): boolean {
  try {
    return localStorage.getItem(nameOf(account)) !== null;
  } catch {
    return false;
  }
}

/** Closes the card, in this browser only. */
export function closeFirstSteps(account: string): void {
  try {
    localStorage.setItem(nameOf(account), '1');
  } catch { /* Storage is disabled: the card is shown again on the next visit. */ }
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

export function useFirstStepsClosed(account: string): boolean {
  return useSyncExternalStore(subscribe, () => isClosed(account));
}
