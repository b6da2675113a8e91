import { setTimeout as pause } from 'node:timers/promises';

/** Far more than anything takes that is going to happen at all. */
const PATIENCE_MILLISECONDS = 10_000;

/** Resolves once a condition holds. Leaves the processor to the servers that are waited for between two looks. */
export async function untilItHolds(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never came about: ${condition.toString()}`);
    await pause(1);
  }
}
