import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NUMBER_DIGITS, NUMBER_PLACE, typicalBody } from './bodies.js';
import { runClosedLoad } from './closed-load.js';
import { ConversationNumbers, digitsOf } from './requests.js';

const KEYS = ['key-0', 'key-1', 'key-2', 'key-3', 'key-4'];
const CONNECTIONS = 3;
const { requests, numberAt } = typicalBody();

interface Received {
  readonly port: number | undefined;
  readonly key: string | undefined;
  readonly text: string;
}

/** The numbers of the conversations that one connection played; fails when a request is not what comes next. */
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

describe('load on connections that are always busy', () => {
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

  it('plays conversations one request after the other, each on one connection, and every byte arrives', async () => {
    const { port } = server.address() as AddressInfo;
    const target = { port, path: '/', headers: {}, keys: KEYS, body: typicalBody() };
    const { completed, failed } = await runClosedLoad({ load: 'closed', target, connections: CONNECTIONS, milliseconds: 150 }, new ConversationNumbers(0));
    expect([completed, failed]).toEqual([received.length, 0]);
    const ports = [...new Set(received.map((request) => request.port))];
    expect(ports).toHaveLength(CONNECTIONS);
    const numbers = ports.flatMap((each) => conversationsIn(received.filter((request) => request.port === each)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, position) => position));
  });
});
