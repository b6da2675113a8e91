import type { UpstreamFailureReason } from '../../upstream-failure.js';

/**
 * What a failure counts for in a circuit.
 * `every-call`: no request can cause it. `once-per-account`: a request can cause it, so it takes several accounts.
 * `nothing`: it says something of one request, or of the gateway's own account there.
 */
export type FailureWeight = 'every-call' | 'once-per-account' | 'nothing';

const WEIGHTS: Partial<Record<UpstreamFailureReason, FailureWeight>> = {
  'connect-failed': 'every-call',
  'timed-out': 'once-per-account',
  'server-unavailable': 'once-per-account',
};

export function weightOf(reason: UpstreamFailureReason): FailureWeight {
  return WEIGHTS[reason] ?? 'nothing';
}
