import { useSyncExternalStore } from 'react';

/** One amount in both units, as exact strings; `null` for a unit in which it is not known. */
export interface ExactAmount {
  readonly tokens: string | null;
  readonly usd: string | null;
}

interface Pointed extends ExactAmount {
  readonly anchor: HTMLElement;
}

interface Shown {
  /** The amount under the pointer or with the focus. */
  readonly pointed: Pointed | null;
  /** Amount from which the explanation of the units was opened, or `'units'` without an amount; `null` while it is closed. */
  readonly explained: ExactAmount | 'units' | null;
}

const HIDES_AFTER = 120;

let shown: Shown = { pointed: null, explained: null };
let hiding: number | undefined;
const listeners = new Set<() => void>();

function show(change: Partial<Shown>): void {
  shown = { ...shown, ...change };
  for (const listener of listeners) listener();
}

/** Copies the exact amount instead of the rounded one, unless text is selected. */
function copyExact(event: ClipboardEvent): void {
  const exact = shown.pointed?.usd ?? shown.pointed?.tokens;
  if (exact === undefined || exact === null || !(window.getSelection()?.isCollapsed ?? true)) return;
  event.clipboardData?.setData('text/plain', exact);
  event.preventDefault();
}

export function pointAt(pointed: Pointed): void {
  window.clearTimeout(hiding);
  document.addEventListener('copy', copyExact);
  show({ pointed });
}

/** Hides the detail after a moment, so that the pointer can reach it. */
export function pointAway(): void {
  window.clearTimeout(hiding);
  hiding = window.setTimeout(hideDetail, HIDES_AFTER);
}

export function keepDetail(): void {
  window.clearTimeout(hiding);
}

export function hideDetail(): void {
  window.clearTimeout(hiding);
  document.removeEventListener('copy', copyExact);
  if (shown.pointed !== null) show({ pointed: null });
}

export function explain(amount: ExactAmount | 'units'): void {
  hideDetail();
  show({ explained: amount });
}

export function closeExplanation(): void {
  show({ explained: null });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useShownAmount(): Shown {
  return useSyncExternalStore(subscribe, () => shown);
}
