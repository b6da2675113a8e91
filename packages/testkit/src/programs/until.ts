const MAX_WAIT_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 5;

/** Resolves once a condition is true; rejects after `longestMilliseconds`. For effects of other processes or the network. */
export async function until(condition: () => boolean | Promise<boolean>, longestMilliseconds = MAX_WAIT_MILLISECONDS, lookMilliseconds = LOOK_MILLISECONDS): Promise<void> {
  const deadline = performance.now() + longestMilliseconds;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error('the condition never held');
    await new Promise((resolve) => {
      setTimeout(resolve, lookMilliseconds);
    });
  }
}
