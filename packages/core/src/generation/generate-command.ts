import type { Caller } from '../accounts/account.js';
import type { WireFormatName } from '../billing/usage-record.js';
import type { RequestId } from '../ids.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import type { CancelSignal } from '../ports/model-provider.js';
import type { Instant } from '../time/instant.js';
import type { GenerationRequest } from './generation-request.js';

/** One generation request of an authenticated caller. */
export interface GenerateCommand {
  readonly caller: Caller;
  readonly requestId: RequestId;
  readonly request: GenerationRequest;
  readonly format: WireFormatName;
  readonly delivery: 'whole' | 'stream';
  /** Aborted with the reason `shutdown` when the service stops, with any other when the client left. */
  readonly signal: CancelSignal;
  readonly startedAt: Instant;
  /** Given back once the request is admitted. */
  readonly unbilled?: UnbilledClaim | null;
}
