import type { CancelSignal, Clock } from '@tollgate/core';

export interface Pause {
  readonly clock: Clock;
  readonly signal: CancelSignal;
  readonly milliseconds: number;
  /** Ends the pause before its time. */
  readonly endEarly?: Promise<void>;
}

/** Resolves after the time, or as soon as the signal is aborted. Leaves no timer and no listener behind. */
export async function pause({ clock, signal, milliseconds, endEarly }: Pause): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return;
  let wake: () => void = () => undefined;
  const slept = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const cancel = clock.schedule(milliseconds, wake);
  signal.addEventListener('abort', wake);
  await Promise.race(endEarly === undefined ? [slept] : [slept, endEarly]);
  cancel();
  signal.removeEventListener('abort', wake);
}
