import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { DISCARDED_BYTES_AT_ONCE, DISCARDED_BYTES_PER_SECOND, DiscardPace } from './discard-pace.js';

const MEBIBYTE = 1_048_576;

let clock: ManualClock;
let server: Server;
let client: Socket;
let request: IncomingMessage;
let read: number;

/** A client that has begun to send a body of so many bytes, and sends on. */
async function upload(bytes: number): Promise<void> {
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: ${bytes}\r\n\r\n`);
  client.write(Buffer.alloc(bytes));
  request = await new Promise((resolve) => {
    server.once('request', resolve);
  });
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
}

/** Resolves once the body is paused, or was read to its end. */
async function pausedOrEnded(): Promise<void> {
  while (!request.isPaused() && !request.readableEnded) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
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

it('reads the rest of a small body at once', async () => {
  await upload(2 * MEBIBYTE);
  new DiscardPace(clock).discard(request);
  await pausedOrEnded();
  expect([read, request.readableEnded, clock.pendingTasks]).toEqual([2 * MEBIBYTE, true, 0]);
});

it('reads no more of a large one than the pace allows, all bodies together', async () => {
  await upload(40 * MEBIBYTE);
  new DiscardPace(clock).discard(request);
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
