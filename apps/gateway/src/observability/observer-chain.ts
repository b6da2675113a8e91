import type { GenerationObserver } from '@tollgate/core';

/** Tells several observers, in their order. */
export function observerChain(observers: readonly GenerationObserver[]): GenerationObserver {
  const [only] = observers;
  if (only !== undefined && observers.length === 1) return only;
  return {
    candidateFailed: (failure) => observers.forEach((observer) => observer.candidateFailed(failure)),
    generationEnded: (outcome) => observers.forEach((observer) => observer.generationEnded(outcome)),
    settlementFailed: (failure) => observers.forEach((observer) => observer.settlementFailed(failure)),
    releaseFailed: (failure) => observers.forEach((observer) => observer.releaseFailed(failure)),
  };
}
