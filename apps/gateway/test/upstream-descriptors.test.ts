import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { PlanId } from '@tollgate/core';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';
import { addCaller, TEST_SETTINGS } from '../src/test-support/start-test-gateway.js';

const DESCRIPTORS = 100;
/** Number of open descriptors at which the gateway opens no more sockets to upstreams; it keeps 48 for the database and other files. */
const MAX_FOR_UPSTREAMS = 52;
const REQUESTS = 40;

let upstream: Server;
let gateway: EmbeddedGateway;
let held: ServerResponse[];
let connections: RawConnection[];
/** Keys of accounts with ten slots each. */
let keys: string[];
let asked: number;

beforeEach(async () => {
  held = [];
  connections = [];
  upstream = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.method === 'GET') response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[{"id":"m"}]}');
      else held.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
    });
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, '127.0.0.1', resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  const settings = { ...TEST_SETTINGS, connections: { maximum: 80, maximumPerAddress: 80, exemptNetworks: ['127.0.0.0/8'], descriptors: DESCRIPTORS } };
  gateway = await startEmbeddedGateway({ environment: { UPSTREAM_BASE_URL: `http://127.0.0.1:${port}/v1` }, services: { settings } });
  asked = 0;
  keys = [];
  for (const name of ['a', 'b', 'c', 'd']) keys.push((await addCaller(gateway.gateway, name, { planId: 'pro' as PlanId, credit: '1000000' })).key);
});

afterEach(async () => {
  for (const connection of connections) connection.destroy();
  const closed = new Promise((resolve) => {
    upstream.close(resolve);
  });
  upstream.closeAllConnections();
  await closed;
  await gateway.close();
});

async function ask(): Promise<RawConnection> {
  asked += 1;
  const key = keys[asked % keys.length] ?? '';
  const connection = await RawConnection.open(gateway.url);
  connections.push(connection);
  const body = JSON.stringify({ model: 'm', stream: true, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] });
  void connection.send(`POST /v1/chat/completions HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return connection;
}

it('generations are refused with server_busy if only the file descriptors kept for the database are left', async () => {
  // A running generation has two descriptors, one of them for its client.
  for (let sent = 0; sent < MAX_FOR_UPSTREAMS / 2; sent += 1) {
    await ask();
    await eventually(() => held.length === sent + 1);
  }
  const refused = await ask();
  expect(await refused.until('server_busy')).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/);
  expect(held).toHaveLength(MAX_FOR_UPSTREAMS / 2);
  // After the end of one generation, another one reaches the upstream.
  held[0]?.destroy();
  connections[0]?.destroy();
  await eventually(() => gateway.gateway.runningRequests < MAX_FOR_UPSTREAMS / 2);
  await ask();
  await eventually(() => held.length === MAX_FOR_UPSTREAMS / 2 + 1);
});

it('idle client connections are closed in favour of sockets to upstreams', async () => {
  for (let opened = 0; opened < REQUESTS; opened += 1) connections.push(await RawConnection.open(gateway.url));
  const idle = connections.slice();
  for (let sent = 0; sent < 15; sent += 1) {
    await ask();
    await eventually(() => held.length === sent + 1);
  }
  expect(await idle[0]?.untilClosed()).toBe('');
});

it('client connections and sockets to upstreams share one bound on file descriptors', async () => {
  for (let sent = 0; sent < MAX_FOR_UPSTREAMS / 2; sent += 1) {
    await ask();
    await eventually(() => held.length === sent + 1);
  }
  // Of 80 descriptors, 26 are sockets to upstreams; 54 remain for clients, 26 of which are busy.
  for (let opened = 0; opened < REQUESTS; opened += 1) connections.push(await RawConnection.open(gateway.url));
  expect(await connections[MAX_FOR_UPSTREAMS / 2]?.untilClosed()).toBe('');
});
