import type { Clock } from '@tollgate/core';

interface Repetition {
  readonly clock: Clock;
  /** A function is evaluated before each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly task: () => Promise<void>;
  /** The next run follows regardless. */
  readonly onFailure: (failure: unknown) => void;
}

/** Without overlap. The returned function stops it and waits for a running turn. */
export function repeat({ clock, intervalMilliseconds, task, onFailure }: Repetition): () => Promise<void> {
  let stopped = false;
  let cancel: () => void = () => undefined;
  let turn: Promise<void> = Promise.resolve();
  const scheduleNext = (): void => {
    if (stopped) return;
    cancel = clock.schedule(typeof intervalMilliseconds === 'number' ? intervalMilliseconds : intervalMilliseconds(), () => {
      turn = task().catch(onFailure).then(scheduleNext);
    });
  };
  scheduleNext();
  return () => {
    stopped = true;
    cancel();
    return turn;
  };
}

/** True if the event occurs in time. */
export async function withTimeout(event: Promise<void>, milliseconds: number, clock: Clock): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(false));
  });
  try {
    return await Promise.race([event.then(() => true), tooLate]);
  } finally {
    cancel();
  }
}
