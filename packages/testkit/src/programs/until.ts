const MAX_WAIT_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 5;

/** Resolves when a condition is true, and rejects after `longestMilliseconds`. Waits for effects of other processes or of the network. */
export async function until(condition: () => boolean | Promise<boolean>, longestMilliseconds = MAX_WAIT_MILLISECONDS, lookMilliseconds = LOOK_MILLISECONDS): Promise<void> {
  const deadline = performance.now() + longestMilliseconds;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error('the condition did not become true in time');
    await new Promise((resolve) => {
      setTimeout(resolve, lookMilliseconds);
    });
  }
}
