import { contract } from '@tollgate/dashboard-contract';
import { LiveReader } from '../../../live/live-reader.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';

const SECOND = /^\d{1,12}$/;

/** The second that a browser which connects again has seen last; `null` for a new one. */
function lastSeen(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && SECOND.test(header) ? Number(header) : null;
}

/** The live view: a stream of events that ends with the session, or when the gateway stops. */
export function liveEndpoint({ operations: { live }, sessions, clock }: DashboardPorts): DashboardEndpoint {
  return endpoint(contract.live)(async ({ exchange, browser }) => {
    live.checkRoom();
    const reader = new LiveReader(exchange, async () => {
      const signedIn = await sessions.peek(browser, clock.now());
      return signedIn !== null && signedIn.reach === 'full' && signedIn.person.role === 'operator';
    });
    live.add(reader, lastSeen(exchange.req.headers['last-event-id']));
    await reader.ended;
  });
}
