import type { Clock } from '@tollgate/core';

interface Repetition {
  readonly clock: Clock;
  /** A function is called again for each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly task: () => Promise<void>;
  /** Told of a failure; the next turn comes all the same. */
  readonly onFailure: (failure: unknown) => void;
}

/** Runs a task again and again, never twice at a time. The returned function stops it and waits for a turn under way. */
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

/** Whether something comes about in time; resolves as soon as it does, or when the time is over. */
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
