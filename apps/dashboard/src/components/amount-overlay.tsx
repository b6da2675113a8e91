import { lazy, Suspense } from 'react';
import { useShownAmount } from './pointed-amount';

const AmountDetail = lazy(() => import('./amount-detail'));

/** Rendered once, in the shell, for the amounts of all pages. */
export function AmountOverlay() {
  const { pointed, explained } = useShownAmount();
  return pointed === null && explained === null ? null : <Suspense><AmountDetail /></Suspense>;
}
