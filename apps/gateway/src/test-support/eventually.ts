/** Far more than anything takes that is going to happen at all. */
const PATIENCE_MILLISECONDS = 10_000;

/** Resolves once a condition holds, looked at each time all input and output that was ready has been handled. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never came about: ${condition.toString()}`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
