import type { Clock } from '../primitives/clock.js';

/** How long after its client left an upstream may still deliver its own figures, and how long one that ignores being stopped is waited for. */
export const FINAL_USAGE_WAIT_MILLISECONDS = 2000;

/** What `work` comes to, `null` when it fails or takes too long: an aborted upstream usually answers with a failure. */
export async function inTime<Result>(clock: Clock, work: Promise<Result>): Promise<Result | null> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<null>((resolve) => {
    cancel = clock.schedule(FINAL_USAGE_WAIT_MILLISECONDS, () => resolve(null));
  });
  const result = await Promise.race([work.catch(() => null), tooLate]);
  cancel();
  return result;
}
