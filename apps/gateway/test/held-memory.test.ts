import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const STREAMS = 4;
const TEXT = 'word '.repeat(80_000);
const FIRST_CHUNK = 'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';

let upstream: Server;
let gateway: EmbeddedGateway;
let held: ServerResponse[];
let connections: RawConnection[];

beforeEach(async () => {
  held = [];
  connections = [];
  // The upstream runs in this process but keeps nothing of a request, so all memory in use is the gateway's.
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
  gateway = await startEmbeddedGateway({ environment: { UPSTREAM_BASE_URL: `http://127.0.0.1:${port}/v1` } });
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

/** Bytes of heap and external memory, after a garbage collection. */
function bytesInUse(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a request with a long text, whose response is not stored. */
function saidIn(path: string): Fields {
  return { max_tokens: 10, store: false, [path === '/v1/responses' ? 'input' : 'messages']: [{ role: 'user', content: TEXT }] };
}

/** Opens a stream; resolves when the request has arrived at the upstream. */
async function openStream(path: string, headers: string, said: Fields = saidIn(path)): Promise<void> {
  const waiting = held.length;
  const connection = await RawConnection.open(gateway.url);
  connections.push(connection);
  const body = JSON.stringify({ model: 'm', stream: true, ...said });
  await connection.send(
    `POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`,
  );
  await eventually(() => held.length > waiting);
}

/** Opens many streams; resolves when each has sent its first output. */
async function openStreams(path: string, headersOf: (number: number) => string, said?: Fields): Promise<void> {
  for (let number = 0; number < STREAMS; number += 1) {
    await openStream(path, headersOf(number), said);
    held.pop()?.write(FIRST_CHUNK);
    await connections.at(-1)?.until('Hi');
  }
}

describe.each(['/v1/chat/completions', '/v1/messages', '/v1/responses'])('a stream of %s', (path) => {
  it.each([
    ['without an idempotency key', () => ''],
    ['with an idempotency key', (number: number) => `idempotency-key: key-${number}\r\n`],
  ])('%s does not hold its request in memory once the response has started', async (_which, headersOf) => {
    await openStreams(path, (number) => headersOf(number + STREAMS));
    const before = bytesInUse();
    await openStreams(path, headersOf);
    expect((bytesInUse() - before) / STREAMS).toBeLessThan(TEXT.length / 2);
  });

  it('holds one copy of its texts in memory, for a fallback, while it waits for its upstream', async () => {
    await openStreams(path, () => '');
    const before = bytesInUse();
    for (let number = 0; number < STREAMS; number += 1) await openStream(path, '');
    expect((bytesInUse() - before) / STREAMS).toBeLessThan(TEXT.length * 1.5);
  });
});

it('a stream whose response will be stored holds its input in memory, but not the body', async () => {
  const said = { max_output_tokens: 10, instructions: '漢'.repeat(150_000), input: [{ role: 'user', content: 'How is the weather?' }] };
  await openStreams('/v1/responses', () => '', said);
  const before = bytesInUse();
  await openStreams('/v1/responses', () => '', said);
  expect((bytesInUse() - before) / STREAMS).toBeLessThan(150_000);
});
