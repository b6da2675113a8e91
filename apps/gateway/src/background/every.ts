import type { Clock } from '@tollgate/core';

export interface Repetition {
  readonly clock: Clock;
  /** A function is asked anew for each turn. */
  readonly intervalMilliseconds: number | (() => number);
  readonly task: () => Promise<void>;
  /** Told of a failure; the next turn comes all the same. */
  readonly onFailure: (failure: unknown) => void;
}

/** Runs a task again and again, never twice at a time. The returned function stops it and waits for a turn under way. */
export function every({ clock, intervalMilliseconds, task, onFailure }: Repetition): () => Promise<void> {
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
