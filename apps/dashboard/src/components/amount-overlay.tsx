import { lazy, Suspense } from 'react';
import { useShownAmount } from './pointed-amount';

const AmountDetail = lazy(() => import('./amount-detail'));

/** Once in the shell, for all amounts. */
export function AmountOverlay() {
  const { pointed, explained } = useShownAmount();
  return pointed === null && explained === null ? null : <Suspense><AmountDetail /></Suspense>;
}
