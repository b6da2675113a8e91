import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STREAM_OPENING, streamClosing, streamEvent } from '../upstream/replies.js';
import { constantBody, ConversationNumbers, digitsOf, NUMBER_DIGITS, NUMBER_PLACE, typicalBody } from './requests.js';
import { runClosedLoad, runOpenLoad, runStreamLoad } from './loads.js';
import type { LoadTarget } from './load-generator.js';

const KEYS = ['key-0', 'key-1', 'key-2', 'key-3', 'key-4'];
const CONNECTIONS = 3;
const { requests, numberAt } = typicalBody();

interface Received {
  readonly port: number | undefined;
  readonly key: string | undefined;
  readonly text: string;
}

/** The conversation numbers that one connection sent. Fails unless its requests are in order. */
function conversationsIn(received: readonly Received[]): readonly number[] {
  const numbers: number[] = [];
  const first = requests.findIndex(({ length }) => length === received[0]?.text.length);
  for (const [position, { text, key }] of received.entries()) {
    const place = (first + position) % requests.length;
    const number = Number(text.slice(numberAt ?? 0, (numberAt ?? 0) + NUMBER_DIGITS));
    if (position === 0 || place === 0) numbers.push(number);
    const expected = requests[place]?.replace(NUMBER_PLACE, digitsOf(numbers.at(-1) ?? 0));
    expect([text, key]).toEqual([expected, KEYS[number % KEYS.length]]);
  }
  return numbers;
}

describe('a load of connections that wait for each reply', () => {
  let server: Server;
  let received: Received[];

  beforeEach(async () => {
    received = [];
    server = createServer((req, res) => {
      let text = '';
      req.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
      }).once('end', () => {
        received.push({ port: req.socket.remotePort, key: req.headers.authorization?.slice('Bearer '.length), text });
        res.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  it('sends each conversation in order on one connection, and every byte arrives', async () => {
    const { port } = server.address() as AddressInfo;
    const target = { port, path: '/', headers: {}, keys: KEYS, body: typicalBody() };
    const { completed, failed } = await runClosedLoad({ load: 'closed', target, connections: CONNECTIONS, milliseconds: 150 }, new ConversationNumbers(0));
    expect([completed, failed]).toEqual([received.length, 0]);
    const ports = [...new Set(received.map((request) => request.port))];
    expect(ports).toHaveLength(CONNECTIONS);
    const numbers = ports.flatMap((each) => conversationsIn(received.filter((request) => request.port === each)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, position) => position));
  });

  it('ends after a fixed number of requests', async () => {
    const { port } = server.address() as AddressInfo;
    const target = { port, path: '/', headers: {}, keys: KEYS, body: typicalBody() };
    const { completed, failed } = await runClosedLoad({ load: 'closed', target, connections: CONNECTIONS, milliseconds: 60_000, requests: 7 }, new ConversationNumbers(0));
    expect([completed, failed, received.length]).toEqual([7, 0, 7]);
  });
});

const REQUESTS = 20;
const PACE = { load: 'open', perSecond: 400, milliseconds: 50 } as const;
const STALL_MILLISECONDS = 100;

function stall(): void {
  const until = performance.now() + STALL_MILLISECONDS;
  while (performance.now() < until);
}

describe('a load of requests at fixed times', () => {
  let server: Server;

  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  async function serving(answer: (res: ServerResponse) => void): Promise<LoadTarget> {
    server = createServer((req, res) => {
      req.resume().once('end', () => answer(res));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, path: '/v1/chat/completions', headers: {}, keys: [], body: constantBody('nothing', '{}') };
  }

  it('sends every request, although no reply arrives before the last request is sent', async () => {
    const waiting: ServerResponse[] = [];
    const target = await serving((res) => {
      waiting.push(res);
      if (waiting.length === REQUESTS) for (const each of waiting) each.end('{}');
    });
    const { completed, failed, latency, lateness } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect([completed, failed, latency.count, lateness.count]).toEqual([REQUESTS, 0, REQUESTS, REQUESTS]);
  });

  it('counts refusals, keeps the reason of the first, and omits their latency', async () => {
    let refused = 0;
    const target = await serving((res) => {
      refused += 1;
      res.writeHead(429).end(`refusal ${refused}`);
    });
    const { completed, failed, firstFailure, latency } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect([completed, failed, firstFailure, latency.count]).toEqual([0, REQUESTS, 'status 429: refusal 1', 0]);
  });

  it('reports the delay of requests that it sends late, and does not count the delay as latency', async () => {
    let served = 0;
    const target = await serving((res) => {
      served += 1;
      res.end('{}', served === 1 ? stall : undefined);
    });
    const { lateness, latency } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect(lateness.longest).toBeGreaterThan(STALL_MILLISECONDS / 2);
    expect(latency.p50).toBeLessThan(lateness.p50);
  });

  it('sends no more than half of its requests before they are due', async () => {
    const { lateness } = await runOpenLoad({ ...PACE, target: await serving((res) => res.end('{}')) }, new ConversationNumbers(0));
    expect(lateness.p50).toBeGreaterThanOrEqual(0);
  });
});

const STREAMS = 4;
const STREAM_MILLISECONDS = 200;
const EVENTS = 3;

describe('a load', () => {
  let server: TcpServer;
  let sockets: Socket[];

  beforeEach(() => {
    sockets = [];
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  async function serving(answer: (number: number, socket: Socket) => void): Promise<LoadTarget> {
    let served = 0;
    server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('data', () => answer(served++, socket)).on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, path: '/', headers: {}, keys: [], body: constantBody('nothing', '{}') };
  }

  function reply(socket: Socket, events: readonly number[]): void {
    socket.write(Buffer.concat([STREAM_OPENING, ...events.map(streamEvent), streamClosing(EVENTS)]));
  }

  it('of streams spreads their starts over the duration of one stream, and counts broken streams', async () => {
    const firstRequests = new Map<Socket, number>();
    let served = 0;
    const startedAt = performance.now();
    const target = await serving((number, socket) => {
      served += 1;
      if (!firstRequests.has(socket)) firstRequests.set(socket, performance.now() - startedAt);
      reply(socket, number === 0 ? [0, 2] : [0, 1, 2]);
    });
    const { completed, failed, brokenStreams, events } = await runStreamLoad({
      load: 'streams', target, streams: STREAMS, milliseconds: 2 * STREAM_MILLISECONDS, eventsPerStream: EVENTS, streamMilliseconds: STREAM_MILLISECONDS,
    }, new ConversationNumbers(0));
    expect([completed, failed, brokenStreams, events]).toEqual([served, 0, 1, EVENTS * served - 1]);
    const firsts = [...firstRequests.values()];
    expect(firsts).toHaveLength(STREAMS);
    // A timer may fire early, but by less than a millisecond.
    for (const [place, first] of firsts.entries()) expect(first).toBeGreaterThan((place / STREAMS) * STREAM_MILLISECONDS - 1);
  });

  it('that waits for each reply continues after any number of breaks, if replies arrive between them', async () => {
    const target = await serving((number, socket) => {
      if (number % 2 === 0) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    const { completed, failed } = await runClosedLoad({ load: 'closed', target, connections: 1, milliseconds: 60_000, requests: 20 }, new ConversationNumbers(0));
    expect([completed, failed]).toEqual([10, 10]);
  });

  it('that waits for each reply reconnects after a broken connection, at most three times in a row', async () => {
    const target = await serving((_number, socket) => socket.destroy());
    const { completed, failed, firstFailure } = await runClosedLoad({ load: 'closed', target, connections: 2, milliseconds: 60_000 }, new ConversationNumbers(0));
    expect([completed, failed, firstFailure]).toEqual([0, 8, 'the server closed the connection']);
  });
});
