import type { FaultWorld, FaultWorldOptions } from './fault-world.js';

export type RoundOptions = Pick<FaultWorldOptions, 'root' | 'folder' | 'context' | 'defer'>;

/** Findings of a round, except those about payments. */
export interface FaultSight {
  readonly world: FaultWorld;
  readonly violations: readonly string[];
  readonly notes: readonly string[];
  /** Time, as `performance.now()`, before which requests may have been lost with the database. If absent, none may have been lost. */
  readonly lostUntil?: number;
}

const atExit = new Set<() => void>();
process.on('exit', () => {
  for (const task of atExit) task();
});

/** Runs the task when the process exits, even after an interrupt. The returned function cancels that. */
export function onExit(task: () => void): () => void {
  atExit.add(task);
  return () => void atExit.delete(task);
}
