import type { FaultWorld, FaultWorldOptions } from './fault-world.js';

export type RoundOptions = Pick<FaultWorldOptions, 'root' | 'folder' | 'context' | 'defer'>;

/** Findings other than payments. */
export interface FaultSight {
  readonly world: FaultWorld;
  readonly violations: readonly string[];
  readonly notes: readonly string[];
  /** Time before which requests may have been lost with the database; absent if none may. */
  readonly lostUntil?: number;
}

const atExit = new Set<() => void>();
process.on('exit', () => {
  for (const task of atExit) task();
});

/** Runs the task at exit, also after an interrupt; the returned function cancels it. */
export function onExit(task: () => void): () => void {
  atExit.add(task);
  return () => void atExit.delete(task);
}
