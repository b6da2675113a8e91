import { contract } from '@tollgate/api-contract';
import { beginEvents } from '../../http/reply/send-events.js';
import { LiveReader } from '../../live/live-reader.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

/** The live stream, which ends with the session or when the gateway stops. A HEAD request gets only its headers, and does not count as a reader. */
export function liveEndpoint({ operations: { live }, sessions, clock }: DashboardPorts): DashboardEndpoint {
  return endpoint(contract.live)(async ({ exchange, browser, visitor: { person } }) => {
    if (exchange.req.method === 'HEAD') {
      beginEvents(exchange);
      exchange.res.end();
      return;
    }
    live.makeRoomFor(person.id);
    const reader = new LiveReader(person.id, exchange, async () => {
      const signedIn = await sessions.peek(browser, clock.now());
      return signedIn !== null && signedIn.reach === 'full' && signedIn.person.role === 'operator';
    });
    live.add(reader, lastSeen(exchange.req.headers['last-event-id']));
    await reader.ended;
  });
}

const SECOND = /^\d{1,12}$/;

/** Last second that the client received, from `Last-Event-ID`; `null` for a new connection. */
function lastSeen(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && SECOND.test(header) ? Number(header) : null;
}
