import { type Clock, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Used until `intervalMilliseconds` has first returned an interval. */
const FIRST_INTERVAL_MILLISECONDS = MILLISECONDS_PER_SECOND;

interface Repetition {
  readonly clock: Clock;
  /** A function is called before each run; if it throws, `onFailure` is called and the last interval applies. */
  readonly intervalMilliseconds: number | (() => number);
  readonly task: () => Promise<void>;
  /** Called with the error of a failed run. The next run follows all the same. */
  readonly onFailure: (failure: unknown) => void;
}

/** Runs do not overlap. The returned function stops them and waits for a running one. */
export function repeat({ clock, intervalMilliseconds, task, onFailure }: Repetition): () => Promise<void> {
  let stopped = false;
  let cancel: () => void = () => undefined;
  let turn: Promise<void> = Promise.resolve();
  let interval = FIRST_INTERVAL_MILLISECONDS;
  const nextInterval = (): number => {
    try {
      interval = typeof intervalMilliseconds === 'number' ? intervalMilliseconds : intervalMilliseconds();
    } catch (failure) {
      onFailure(failure);
    }
    return interval;
  };
  const scheduleNext = (): void => {
    if (stopped) return;
    cancel = clock.schedule(nextInterval(), () => {
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
