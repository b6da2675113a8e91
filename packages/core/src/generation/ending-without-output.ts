import { unservedEnding } from '../billing/charge.js';
import type { Ending, EndReason } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { Instant } from '../primitives/time.js';
import { abortReasonOf } from './abort-reason.js';
import type { HeldRequest } from './held-request.js';

/** Reason for an ending by a failure before the first output. */
function unservedReasonOf(failure: unknown): EndReason {
  if (!(failure instanceof GatewayError) || failure.code === 'internal_error' || failure.code === 'service_unavailable') return 'internal_error';
  return failure.code === 'provider_unavailable' ? 'provider_unavailable' : 'request_rejected';
}

export interface FailureBeforeOutput {
  readonly signal: CancelSignal;
  readonly failure: unknown;
  readonly endedAt: Instant;
}

/** The prompt is charged if the client disconnected after an upstream accepted the request; otherwise the request is free. */
export function endingWithoutOutput(held: HeldRequest, { signal, failure, endedAt }: FailureBeforeOutput): Ending {
  const reason = signal.aborted ? abortReasonOf(signal) : unservedReasonOf(failure);
  const unserved = unservedEnding(reason, endedAt);
  return reason === 'client_left' ? { ...unserved, service: held.service, usage: held.usageWithoutLastBatch() } : unserved;
}
