import { Durations } from '@tollgate/kit';
import type { LoadCommand, LoadResult } from './load-generator.js';
import { type BenchRequest, Connection } from './connection.js';
import { type ConversationNumbers, type NextRequest, requestsOf } from './requests.js';
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
const MAX_FAILURES_PER_CONNECTION = 3;

interface Sender {
  readonly port: number;
  readonly nextRequest: NextRequest;
  /** When the first request is sent; the connection is opened at once. */
  readonly delayMilliseconds: number;
  /** By `performance.now`; a request that has begun is read to its end. */
  readonly endAt: number;
}

/** Sends requests over one connection, each when the one before is over. Opens another connection when one breaks; resolves when the time is over. */
function sendInTurn({ port, nextRequest, delayMilliseconds, endAt }: Sender, requestFor: (whenOver: () => void) => BenchRequest): Promise<void> {
  return new Promise((resolve) => {
    let connection = new Connection(port);
    let failures = 0;
    const proceed = (): void => {
      if (performance.now() >= endAt || failures >= MAX_FAILURES_PER_CONNECTION) {
        connection.close();
        resolve();
        return;
      }
      if (!connection.isUsable) {
        failures += 1;
        connection = new Connection(port);
      }
      connection.send(nextRequest(), requestFor(proceed));
    };
    if (delayMilliseconds === 0) proceed();
    else setTimeout(proceed, delayMilliseconds);
  });
}

type ClosedLoad = Extract<LoadCommand, { load: 'closed' }>;

/** Keeps every connection busy, each with conversations of its own, until the time is over; resolves when the last reply has come. */
export async function runClosedLoad({ target, connections, milliseconds }: ClosedLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const forConnection = requestsOf(target, numbers);
  const tally = new Tally();
  const endAt = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: connections }, () => (
    sendInTurn({ port: target.port, nextRequest: forConnection(), delayMilliseconds: 0, endAt }, (whenOver) => new WholeRequest({ tally, sentAt: performance.now(), whenOver })))));
  return tally.result();
}

type StreamLoad = Extract<LoadCommand, { load: 'streams' }>;

/** Keeps so many streams running until the time is over, and resolves when the last of them has ended. */
export async function runStreamLoad(command: StreamLoad, numbers: ConversationNumbers): Promise<LoadResult> {
  const { target, streams, milliseconds, eventsPerStream, streamMilliseconds } = command;
  const forPlace = requestsOf(target, numbers);
  const tally = new Tally();
  const endAt = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: streams }, (_none, place) => sendInTurn(
    { port: target.port, nextRequest: forPlace(), delayMilliseconds: (place / streams) * streamMilliseconds, endAt },
    (whenOver) => new StreamRequest({ tally, sentAt: performance.now(), whenOver }, eventsPerStream, target.body.eventMark),
  )));
  return tally.result();
}

type OpenLoad = Extract<LoadCommand, { load: 'open' }>;

const FIRST_CONNECTIONS = 16;
/** A server that answers nothing any more gets no more connections than this. */
const MAX_CONNECTIONS = 2000;
const LAST_REPLIES_MILLISECONDS = 10_000;
/** For the first connections to stand. */
const LEAD_MILLISECONDS = 50;

/** Connections that wait for work; a new one is opened when none does. */
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
 * Calls `send` with the instant each request was due, when a timer says so, usually within two milliseconds, and never leaves one out.
 * Waiting for the very instant by looking at the clock would take a whole processor from those who are measured.
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

/** Sends requests at a fixed rate; resolves when all have been answered, or have had ten seconds for it. */
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
