import { Durations } from '@tollgate/kit';
import type { LoadCommand, LoadResult } from './load-generator.js';
import { type BenchRequest, Connection } from './connection.js';
import { type ConversationNumbers, type NextRequest, requestsOf } from './requests.js';
import { StreamRequest, WholeRequest } from './bench-requests.js';

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

/** Maximum reconnections in a row without a complete reply in between. */
const MAX_RECONNECTIONS = 3;

interface Sender {
  readonly port: number;
  readonly nextRequest: NextRequest;
  /** Time until the first request; the connection opens at once. */
  readonly delayMilliseconds: number;
  /** Called before each request; if false, only requests that have begun are completed. */
  readonly mayBegin: () => boolean;
}

/** Sends requests one after the other over one connection, and reconnects when it breaks. Resolves when no further request may begin, or can. */
function sendInTurn({ port, nextRequest, delayMilliseconds, mayBegin }: Sender, requestFor: (whenOver: () => void) => BenchRequest): Promise<void> {
  return new Promise((resolve) => {
    let connection = new Connection(port);
    let breaks = 0;
    const proceed = (): void => {
      breaks = connection.isUsable ? 0 : breaks + 1;
      if (breaks > MAX_RECONNECTIONS || !mayBegin()) {
        connection.close();
        resolve();
        return;
      }
      if (!connection.isUsable) connection = new Connection(port);
      connection.send(nextRequest(), requestFor(proceed));
    };
    if (delayMilliseconds === 0) proceed();
    else setTimeout(proceed, delayMilliseconds);
  });
}

type ClosedLoad = Extract<LoadCommand, { load: 'closed' }>;

/** Runs the load; resolves when the last reply is complete. */
export async function runClosedLoad({ target, connections, milliseconds, requests = Infinity }: ClosedLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const forConnection = requestsOf(target, numbers);
  const tally = new Tally();
  const endAt = performance.now() + milliseconds;
  let begun = 0;
  const mayBegin = (): boolean => {
    if (performance.now() >= endAt || begun === requests) return false;
    begun += 1;
    return true;
  };
  await Promise.all(Array.from({ length: connections }, () => (
    sendInTurn({ port: target.port, nextRequest: forConnection(), delayMilliseconds: 0, mayBegin }, (whenOver) => new WholeRequest({ tally, sentAt: performance.now(), whenOver })))));
  return tally.result();
}

type StreamLoad = Extract<LoadCommand, { load: 'streams' }>;

/** Runs the load; resolves when the last stream has ended. */
export async function runStreamLoad(command: StreamLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const { target, streams, milliseconds, eventsPerStream, streamMilliseconds } = command;
  const forPlace = requestsOf(target, numbers);
  const tally = new Tally();
  const endAt = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: streams }, (_none, place) => sendInTurn(
    { port: target.port, nextRequest: forPlace(), delayMilliseconds: (place / streams) * streamMilliseconds, mayBegin: () => performance.now() < endAt },
    (whenOver) => new StreamRequest({ tally, sentAt: performance.now(), whenOver }, eventsPerStream, target.body.eventMark),
  )));
  return tally.result();
}

type OpenLoad = Extract<LoadCommand, { load: 'open' }>;

const FIRST_CONNECTIONS = 16;
const MAX_CONNECTIONS = 2000;
const LAST_REPLIES_MILLISECONDS = 10_000;
/** Time before the first request in which the first connections open. */
const LEAD_MILLISECONDS = 50;

/** Idle kept-alive connections. `take` opens a new one if none is idle; it returns `null` after `MAX_CONNECTIONS` have been opened. */
class IdleConnections {
  readonly #idle: Connection[];
  readonly #all = new Set<Connection>();

  constructor(private readonly port: number) {
    this.#idle = Array.from({ length: FIRST_CONNECTIONS }, () => this.#open());
  }

  take(): Connection | null {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.isUsable) return connection;
    }
    return this.#all.size < MAX_CONNECTIONS ? this.#open() : null;
  }

  giveBack(connection: Connection): void {
    this.#idle.push(connection);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #open(): Connection {
    const connection = new Connection(this.port);
    this.#all.add(connection);
    return connection;
  }
}

/**
 * Calls `send` with the scheduled time of each request, late by up to about two milliseconds, and skips none. It uses a timer, because a busy loop
 * would take a core from the subjects.
 */
function paced({ perSecond, milliseconds }: OpenLoad, send: (dueAt: number) => void): Promise<void> {
  const interval = 1000 / perSecond;
  const count = Math.floor(milliseconds / interval);
  const startAt = performance.now() + LEAD_MILLISECONDS;
  return new Promise((resolve) => {
    let next = 0;
    const tick = (): void => {
      for (; next < count && startAt + next * interval <= performance.now(); next += 1) send(startAt + next * interval);
      if (next === count) {
        resolve();
        return;
      }
      setTimeout(tick, Math.max(0, startAt + next * interval - performance.now()));
    };
    tick();
  });
}

/** Runs the load; resolves when every request has its reply, or ten seconds after the last was sent. */
export async function runOpenLoad(command: OpenLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const nextRequest = requestsOf(command.target, numbers)();
  const tally = new Tally();
  const connections = new IdleConnections(command.target.port);
  let waiting = 0;
  let whenAnswered: () => void = () => undefined;
  await paced(command, (dueAt) => {
    const connection = connections.take();
    if (connection === null) {
      tally.fail('too many requests wait for their replies');
      return;
    }
    waiting += 1;
    const whenOver = (): void => {
      waiting -= 1;
      connections.giveBack(connection);
      if (waiting === 0) whenAnswered();
    };
    const sentAt = performance.now();
    tally.lateness.add(sentAt - dueAt);
    connection.send(nextRequest(), new WholeRequest({ tally, sentAt, whenOver }));
  });
  await new Promise<void>((resolve) => {
    whenAnswered = resolve;
    if (waiting === 0) resolve();
    setTimeout(resolve, LAST_REPLIES_MILLISECONDS).unref();
  });
  connections.close();
  return tally.result();
}
