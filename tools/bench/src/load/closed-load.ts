import { Durations } from '@tollgate/kit';
import type { LoadCommand, LoadResult } from './load-generator.js';
import { Connection } from './connection.js';
import { type ConversationNumbers, requestsOf } from './requests.js';
import { StreamRequest, WholeRequest } from './bench-requests.js';

/** Adds up how a load goes. */
export class Tally {
  readonly latency = new Durations();
  readonly firstToken = new Durations();
  readonly lateness = new Durations();
  completed = 0;
  events = 0;
  brokenStreams = 0;
  #failed = 0;
  #firstFailure: string | null = null;
  readonly #startedAt = performance.now();

  fail(reason: string): void {
    this.#failed += 1;
    this.#firstFailure ??= reason;
  }

  result(): LoadResult {
    return {
      kind: 'loaded',
      completed: this.completed,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
      milliseconds: performance.now() - this.#startedAt,
      latency: this.latency.summary(),
      firstToken: this.firstToken.summary(),
      lateness: this.lateness.summary(),
      events: this.events,
      brokenStreams: this.brokenStreams,
    };
  }
}

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
      connection.send(nextRequest(), new WholeRequest({ tally, sentAt: performance.now(), whenOver: proceed }));
    };
    proceed();
  })));
  return tally.result();
}

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
      connection.send(nextRequest(), new StreamRequest(options, eventsPerStream));
    };
    setTimeout(begin, (place / streams) * streamMilliseconds);
  });
  await Promise.all(Array.from({ length: streams }, (_none, place) => runPlace(place)));
  return tally.result();
}
