// An idle process keeps unused memory, from its start and after a peak: `docs/performance.md` states how much each collection frees.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@tollgate/core';

/** `gc` as V8 exposes it. */
type Collector = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

/** Runs a full collection that also shrinks the young generation, which loading the program has enlarged. Requests enlarge it again as needed. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Interval of checks. The process is idle if no request ran or started between two checks; after shorter pauses, recompiling dropped code
 * would cost more than the freed memory is worth.
 */
export const CHECK_MILLISECONDS = 12_000;
/** A full collection runs once the process holds this much more than when idle. */
export const SPARE_BYTES = 64 * 1_048_576;
/** After a collection that frees less, no further one runs until memory has grown again. */
export const WORTHWHILE_BYTES = 8 * 1_048_576;

interface ObservedProcess {
  readonly clock: Clock;
  runningRequests(): number;
  /** Requests started since the process started. */
  startedRequests(): number;
  residentBytes(): number;
  /** Resident memory of the idle process. */
  readonly restingBytes: number;
  /** Runs a full collection, which returns memory to the operating system and blocks the event loop. */
  collectGarbage(): void;
}

/**
 * Runs a full collection when the process is idle after a peak, and again at each check while it frees enough. Node runs none by itself
 * with `--no-memory-reducer`. A collection also drops compiled code: requests in the next second take two to three times the CPU.
 */
export function collectWhenIdle(process: ObservedProcess): void {
  let { restingBytes } = process;
  let startedBefore = process.startedRequests();
  const check = (): void => {
    process.clock.schedule(CHECK_MILLISECONDS, check);
    const started = process.startedRequests();
    const isIdle = started === startedBefore && process.runningRequests() === 0;
    startedBefore = started;
    const before = process.residentBytes();
    if (!isIdle || before <= restingBytes + SPARE_BYTES) return;
    process.collectGarbage();
    const after = process.residentBytes();
    if (before - after < WORTHWHILE_BYTES) restingBytes = after;
  };
  process.clock.schedule(CHECK_MILLISECONDS, check);
}
