import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { MAX_DISCARD_MILLISECONDS, DISCARDED_BYTES_AT_ONCE, DISCARDED_BYTES_PER_SECOND, DiscardPace } from './discard-pace.js';

const MEBIBYTE = 1_048_576;

let clock: ManualClock;
let server: Server;
let client: Socket;
let request: IncomingMessage;
let response: ServerResponse;
let read: number;

/** Sends a request with a body of `bytes`. Resolves when the server has received its headers. */
async function upload(bytes: number): Promise<void> {
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.write(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: ${bytes}\r\n\r\n`), Buffer.alloc(bytes)]));
  await new Promise<void>((resolve) => {
    server.once('request', (req, res) => {
      [request, response] = [req, res];
      resolve();
    });
  });
}

function countRead(): void {
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function pausedOrEnded(): Promise<void> {
  while (!request.isPaused() && !request.readableEnded) await nextTurn();
}

beforeEach(async () => {
  clock = new ManualClock();
  read = 0;
  server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  client.destroy();
  await new Promise((resolve) => {
    server.close(resolve).closeAllConnections();
  });
});

it('the unread part of a small body is read at once', async () => {
  await upload(2 * MEBIBYTE);
  new DiscardPace(clock).discard(request, response);
  countRead();
  await pausedOrEnded();
  expect([read, request.readableEnded, clock.pendingTasks]).toEqual([2 * MEBIBYTE, true, 0]);
});

it('the unread part of a large body is read at a limited pace', async () => {
  await upload(40 * MEBIBYTE);
  new DiscardPace(clock).discard(request, response);
  countRead();
  await pausedOrEnded();
  const chunk = 256 * 1024;
  expect(read).toBeGreaterThan(DISCARDED_BYTES_AT_ONCE - chunk);
  expect(read).toBeLessThan(DISCARDED_BYTES_AT_ONCE + chunk);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    clock.advance(100);
    await pausedOrEnded();
  }
  expect(read).toBeGreaterThan(DISCARDED_BYTES_AT_ONCE + DISCARDED_BYTES_PER_SECOND * 0.5);
  expect(read).toBeLessThan(DISCARDED_BYTES_AT_ONCE + DISCARDED_BYTES_PER_SECOND + 2 * chunk);
});

it('an unread body is discarded no faster than the shared pace, even after the reply is complete', async () => {
  const pace = new DiscardPace(clock);
  await upload(DISCARDED_BYTES_AT_ONCE + MEBIBYTE);
  pace.discard(request, response);
  await pausedOrEnded();
  client.destroy();
  await upload(2 * MEBIBYTE);
  // Waits until more data arrived than one read takes from Node's buffer.
  while (request.readableLength <= request.readableHighWaterMark) await nextTurn();
  const closed = new Promise((resolve) => {
    response.once('close', resolve);
  });
  pace.discard(request, response);
  response.end('refused');
  await closed;
  await pausedOrEnded();
  expect(request.isPaused()).toBe(true);
  expect(request.socket.bytesRead).toBeLessThan(MEBIBYTE);
});

it('a connection is closed if its request body is still arriving ten seconds after the reply', async () => {
  await upload(40 * MEBIBYTE);
  const closed = new Promise((resolve) => {
    client.once('close', resolve);
  });
  new DiscardPace(clock).discard(request, response);
  response.end('refused');
  await pausedOrEnded();
  clock.advance(MAX_DISCARD_MILLISECONDS - 1);
  expect(request.destroyed).toBe(false);
  clock.advance(1);
  await closed;
  expect([request.destroyed, clock.pendingTasks]).toEqual([true, 0]);
});

it('a connection stays open until its reply is complete, even if its request body arrives for longer', async () => {
  await upload(40 * MEBIBYTE);
  new DiscardPace(clock).discard(request, response);
  await pausedOrEnded();
  clock.advance(MAX_DISCARD_MILLISECONDS);
  await nextTurn();
  expect(request.destroyed).toBe(false);
  const closed = new Promise((resolve) => {
    request.once('close', resolve);
  });
  response.end('refused');
  await closed;
  expect(request.destroyed).toBe(true);
});
