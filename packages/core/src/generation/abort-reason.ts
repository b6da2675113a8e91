import type { EndReason } from '../billing/usage-record.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';

/** Abort reason when the service stops; any other reason means that the client disconnected. */
export const SHUTDOWN = 'shutdown';

export function abortReasonOf(signal: CancelSignal): Extract<EndReason, 'shutdown' | 'client_left'> {
  return signal.reason === SHUTDOWN ? 'shutdown' : 'client_left';
}
