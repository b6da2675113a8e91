import type { EndReason } from '../billing/usage-record.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';

/** The abort reason of a signal when the service stops; any other reason means that the client disconnected. */
export const SHUTDOWN = 'shutdown';

/** The end reason of an aborted request. */
export function abortReasonOf(signal: CancelSignal): Extract<EndReason, 'shutdown' | 'client_left'> {
  return signal.reason === SHUTDOWN ? 'shutdown' : 'client_left';
}
