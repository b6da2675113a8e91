import type { Clock } from '../primitives/clock.js';

/** Maximum wait for the upstream's usage report after the client disconnects, and for an upstream that ignores an abort. */
export const FINAL_USAGE_WAIT_MILLISECONDS = 2000;

/** `null` if `work` takes longer than `FINAL_USAGE_WAIT_MILLISECONDS`, or rejects, as reading from an aborted upstream usually does. */
export async function withinGracePeriod<Result>(clock: Clock, work: Promise<Result>): Promise<Result | null> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<null>((resolve) => {
    cancel = clock.schedule(FINAL_USAGE_WAIT_MILLISECONDS, () => resolve(null));
  });
  const result = await Promise.race([work.catch(() => null), tooLate]);
  cancel();
  return result;
}
