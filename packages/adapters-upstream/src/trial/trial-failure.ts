import { saidByUpstream, secretsOf } from '../routing/said-by-upstream.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import { asUpstreamFailure, type UpstreamFailureReason } from '../upstream-failure.js';

/** Why an upstream did not do what an operator tried, safe to print. */
export interface TrialFailure {
  readonly reason: UpstreamFailureReason;
  /** What happened, with what the upstream said of it: one line without secrets. */
  readonly message: string;
}

export function trialFailure(thrown: unknown, definition: UpstreamDefinition): TrialFailure {
  const failure = asUpstreamFailure(thrown);
  const said = saidByUpstream(failure, secretsOf(definition));
  return { reason: failure.reason, message: said === null ? failure.message : `${failure.message}: ${said}` };
}
