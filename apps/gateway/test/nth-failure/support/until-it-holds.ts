import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 10_000;

/** Waits for the condition; servers in this process run between two checks. */
export async function untilItHolds(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`the condition did not become true: ${condition.toString()}`);
    await pause(1);
  }
}
