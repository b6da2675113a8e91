import { useSyncExternalStore } from 'react';

/** A step whose completion is stored as a flag. */
type Step = 'charge-seen' | 'closed';

const listeners = new Set<() => void>();

function nameOf(account: string, step: Step): string {
  return `first-steps:${account}:${step}`;
}

function isNoted(account: string, step: Step): boolean {
  try {
    return localStorage.getItem(nameOf(account, step)) !== null;
  } catch {
    return false;
  }
}

export function noteStep(account: string, step: Step): void {
  try {
    localStorage.setItem(nameOf(account, step), '1');
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

export function useStep(account: string, step: Step): boolean {
  return useSyncExternalStore(subscribe, () => isNoted(account, step));
}
