import { Connection } from './connection.js';
import type { ConversationNumbers } from './conversation-numbers.js';
import type { LoadCommand, LoadResult } from './load-messages.js';
import { requestsOf } from './requests.js';
import { Tally } from './tally.js';
import { WholeExchange } from './whole-exchange.js';

/** A server that fails this often is not measured any further. */
const MOST_FAILURES_PER_CONNECTION = 3;

type ClosedLoad = Extract<LoadCommand, { load: 'closed' }>;

/** Keeps every connection busy, each with conversations of its own, until the time is over; resolves when the last reply has come. */
export async function runClosedLoad({ target, connections, milliseconds }: ClosedLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const forConnection = requestsOf(target, numbers);
  const tally = new Tally();
  const endAt = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>((resolve) => {
    const nextRequest = forConnection();
    let connection = new Connection(target.port);
    let failures = 0;
    const proceed = (): void => {
      if (performance.now() >= endAt || failures >= MOST_FAILURES_PER_CONNECTION) {
        connection.close();
        resolve();
        return;
      }
      if (!connection.isUsable) {
        failures += 1;
        connection = new Connection(target.port);
      }
      connection.send(nextRequest(), new WholeExchange({ tally, sentAt: performance.now(), whenOver: proceed }));
    };
    proceed();
  })));
  return tally.result();
}
