import type { Clock } from '@tollgate/core';

/** How often the process is looked at. It is idle when no request ran or began between two looks. */
export const LOOK_MILLISECONDS = 5_000;
/** Memory above the least that the process ever had at rest, from which on giving it back is worth a full collection. */
export const SPARE_BYTES = 64 * 1_048_576;
/** A collection that gives back less than this was the last one until memory has grown again. */
export const WORTHWHILE_BYTES = 8 * 1_048_576;

/** What is known of a process that serves. */
export interface ObservedProcess {
  readonly clock: Clock;
  /** Requests that are being answered. */
  runningRequests(): number;
  /** Requests that ever began. */
  startedRequests(): number;
  residentBytes(): number;
  /** Collects fully, so that what is free goes back to the operating system. Holds up the event loop meanwhile. */
  collectGarbage(): void;
}

/**
 * Gives memory back once a process is idle after a peak. Node does not do so by itself: it runs with `--no-memory-reducer` (docs/performance.md).
 * Collections repeat at each look for as long as they give back enough.
 */
export function collectWhenIdle(process: ObservedProcess): void {
  let restingBytes = process.residentBytes();
  let startedBefore = process.startedRequests();
  const look = (): void => {
    process.clock.schedule(LOOK_MILLISECONDS, look);
    const started = process.startedRequests();
    const isIdle = started === startedBefore && process.runningRequests() === 0;
    startedBefore = started;
    const before = process.residentBytes();
    if (!isIdle || before <= restingBytes + SPARE_BYTES) return;
    process.collectGarbage();
    const after = process.residentBytes();
    if (before - after < WORTHWHILE_BYTES) restingBytes = after;
  };
  process.clock.schedule(LOOK_MILLISECONDS, look);
}
