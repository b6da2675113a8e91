import { setTimeout as pause } from 'node:timers/promises';

/** Long enough for a busy machine. */
const PATIENCE_MILLISECONDS = 10_000;

/** Yields to the servers between two checks. */
export async function untilItHolds(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`the condition did not become true: ${condition.toString()}`);
    await pause(1);
  }
}
