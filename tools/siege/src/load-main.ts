import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Request } from 'autocannon';
import type { HalfOpenLoad, HttpLoad, Load } from './attacks.js';

/** What a load process is asked to do. */
export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly load: Load;
}

/** What came of it. Latencies are in whole milliseconds, corrected for requests that had to wait to be sent. */
export interface LoadResult {
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
  readonly requests: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without a reply: refused or broken connections and timeouts. */
  readonly unanswered: number;
}

const TIMEOUT_SECONDS = 30;
const NUMBER = /\{number\}/g;
/** Numbers stand in one group of an IPv6 address, in hexadecimal. */
const NUMBERS = 0x10000;
const HEXADECIMAL = 16;

/** Puts another number into each request of a load that asks for it. */
function numbered({ headers, body }: HttpLoad): { readonly setupRequest: (request: Request) => Request } {
  let count = 0;
  return {
    setupRequest: (request) => {
      count = (count + 1) % NUMBERS;
      const put = (text: string): string => text.replaceAll(NUMBER, count.toString(HEXADECIMAL));
      return { ...request, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)])), body: put(body) };
    },
  };
}

/** Sends requests for as long as it is told and says how they were answered. */
async function runHttpLoad(load: HttpLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const { connections, requestsPerSecond, method, path, headers, body } = load;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    method,
    headers: { ...headers },
    ...(body === '' ? {} : { body }),
    ...(body.includes('{number}') ? { requests: [numbered(load)] } : {}),
    ...(requestsPerSecond === null ? {} : { overallRate: requestsPerSecond }),
  });
  const statuses = Object.fromEntries(Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]));
  return {
    p50Milliseconds: result.latency.p50,
    p99Milliseconds: result.latency.p99,
    longestMilliseconds: result.latency.max,
    requests: result.requests.total,
    statuses,
    unanswered: result.errors,
  };
}

const MILLISECONDS_PER_SECOND = 1000;
/** Unreadable; too large for its headers; and not readable as a request line. */
const OPENINGS = ['GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nhost: siege\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '\u0000\u0000\u0000\r\n\r\n'];

/** Keeps its side open whatever the server says. */
function open(port: number, index: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => socket.destroy());
  socket.once('connect', () => socket.write(OPENINGS[index % OPENINGS.length] ?? ''));
  return socket.resume();
}

/**
 * Opens connections that are refused, and keeps them all open until the time is over. Whether the server has closed its side for good
 * cannot be told from here: both a half-closed and a closed one have ended. The descriptors of the server tell.
 */
async function runHalfOpenLoad({ connections }: HalfOpenLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const sockets = Array.from({ length: connections }, (_, index) => open(port, index));
  await wait(seconds * MILLISECONDS_PER_SECOND);
  for (const socket of sockets) socket.destroy();
  return { p50Milliseconds: 0, p99Milliseconds: 0, longestMilliseconds: 0, requests: connections, statuses: {}, unanswered: 0 };
}

// One load of the siege, in a process of its own so that it takes nothing from another's event loop.

function run(order: LoadOrder): Promise<LoadResult> {
  return order.load.kind === 'http' ? runHttpLoad(order.load, order) : runHalfOpenLoad(order.load, order);
}

process.once('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
