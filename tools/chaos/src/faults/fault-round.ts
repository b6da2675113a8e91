import type { FaultWorld, FaultWorldOptions } from './fault-world.js';

/** What a round needs besides what it starts itself. */
export type RoundOptions = Pick<FaultWorldOptions, 'root' | 'folder' | 'context' | 'defer'>;

/** What a round saw besides what customers paid. */
export interface FaultSight {
  readonly world: FaultWorld;
  readonly violations: readonly string[];
  readonly notes: readonly string[];
  /** Requests sent before this instant may have been lost with the database; absent where nothing may be lost. */
  readonly lostUntil?: number;
}

const atExit = new Set<() => void>();
process.on('exit', () => {
  for (const task of atExit) task();
});

/** Runs a task when this process exits, also after an interrupt; the returned function cancels it. */
export function onExit(task: () => void): () => void {
  atExit.add(task);
  return () => void atExit.delete(task);
}
