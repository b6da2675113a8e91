import type { EndReason } from '../billing/usage-record.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';

/** The reason a signal carries when the service itself stops; any other reason means that the client left. */
export const SHUTDOWN = 'shutdown';

/** Why a request ends whose signal was aborted. */
export function abortReasonOf(signal: CancelSignal): Extract<EndReason, 'shutdown' | 'client_left'> {
  return signal.reason === SHUTDOWN ? 'shutdown' : 'client_left';
}
