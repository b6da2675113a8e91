import { until } from '@tollgate/testkit';

const MAX_MILLISECONDS = 60_000;
/** Long, because most conditions send a request to a gateway, and most waits take seconds. */
const LOOK_MILLISECONDS = 25;

/** Waits for the condition, long enough for a busy machine. */
export function patiently(condition: () => boolean | Promise<boolean>): Promise<void> {
  return until(condition, MAX_MILLISECONDS, LOOK_MILLISECONDS);
}
