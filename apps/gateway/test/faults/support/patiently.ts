import { until } from '@tollgate/testkit';

const MAX_MILLISECONDS = 60_000;

/** Resolves once a condition holds, also on a machine that many tests share. */
export function patiently(condition: () => boolean | Promise<boolean>): Promise<void> {
  return until(condition, MAX_MILLISECONDS);
}
