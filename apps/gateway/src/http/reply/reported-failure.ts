import { UpstreamFailure, type UpstreamFailureReason } from '@tollgate/adapters-upstream';

/** A call that a client gave up, or that an open circuit refused, is no failure of the upstream. */
const UNREPORTED: ReadonlySet<UpstreamFailureReason> = new Set(['cancelled', 'circuit-open']);

/** Whether all of a failure is in the log already, a line for each upstream that was tried. */
export function isReported(failure: unknown): boolean {
  if (failure instanceof AggregateError) return failure.errors.every(isReported);
  return failure instanceof UpstreamFailure && !UNREPORTED.has(failure.reason);
}
