import { until } from '@tollgate/testkit';

const MAX_MILLISECONDS = 60_000;

/** For a busy machine. */
export function patiently(condition: () => boolean | Promise<boolean>): Promise<void> {
  return until(condition, MAX_MILLISECONDS);
}
