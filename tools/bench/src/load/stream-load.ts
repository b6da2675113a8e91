import { Connection } from './connection.js';
import type { ConversationNumbers } from './conversation-numbers.js';
import type { LoadCommand, LoadResult } from './load-messages.js';
import { requestsOf } from './requests.js';
import { StreamExchange } from './stream-exchange.js';
import { Tally } from './tally.js';

type StreamLoad = Extract<LoadCommand, { load: 'streams' }>;

const MOST_FAILURES_PER_PLACE = 3;

/** Keeps so many streams running until the time is over, and resolves when the last of them has ended. */
export async function runStreamLoad(command: StreamLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const { target, streams, milliseconds, eventsPerStream, streamMilliseconds } = command;
  const forPlace = requestsOf(target, numbers);
  const tally = new Tally();
  const startedAt = performance.now();
  const endAt = startedAt + milliseconds;
  const runPlace = (place: number): Promise<void> => new Promise((resolve) => {
    const nextRequest = forPlace();
    let connection = new Connection(target.port);
    let failures = 0;
    const begin = (): void => {
      if (performance.now() >= endAt || failures >= MOST_FAILURES_PER_PLACE) {
        connection.close();
        resolve();
        return;
      }
      if (!connection.isUsable) {
        failures += 1;
        connection = new Connection(target.port);
      }
      const options = { tally, sentAt: performance.now(), whenOver: begin };
      connection.send(nextRequest(), new StreamExchange(options, eventsPerStream));
    };
    setTimeout(begin, (place / streams) * streamMilliseconds);
  });
  await Promise.all(Array.from({ length: streams }, (_none, place) => runPlace(place)));
  return tally.result();
}
