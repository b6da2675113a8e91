import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { invariant } from '@tollgate/core';
import { unacknowledgedBytes } from './reader-watch.js';

const MORE_THAN_ANY_BUFFER = 64 * 1024 * 1024;

let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** A connection whose client reads nothing. */
async function connectionFrom(host: string, listening: string): Promise<Socket> {
  server = createServer({ pauseOnConnect: true });
  server.listen(0, listening);
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<Socket[]>;
  const client = connect((server.address() as AddressInfo).port, host).on('error', () => undefined);
  client.pause();
  const [socket] = await accepted;
  invariant(socket !== undefined, 'a connection that was accepted has a socket');
  sockets.push(client, socket.on('error', () => undefined));
  return socket;
}

describe('the data that the peer of a connection has not received', () => {
  it.each([
    ['IPv4', '127.0.0.1', '127.0.0.1'],
    ['IPv4 to a listener for both', '127.0.0.1', '::'],
    ['IPv6', '::1', '::'],
  ])('is empty at first, and grows once the peer stops reading (over %s)', async (_, host, listening) => {
    const socket = await connectionFrom(host, listening);
    expect(await unacknowledgedBytes(socket)).toBe(0);
    socket.write(Buffer.alloc(MORE_THAN_ANY_BUFFER));
    expect(await unacknowledgedBytes(socket)).toBeGreaterThan(1000);
  });

  it('counts as 0 bytes once the connection is closed', async () => {
    const socket = await connectionFrom('127.0.0.1', '127.0.0.1');
    socket.destroy();
    await once(socket, 'close');
    expect(await unacknowledgedBytes(socket)).toBe(0);
  });
});
