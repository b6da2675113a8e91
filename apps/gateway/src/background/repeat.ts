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
