import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SHARED_READS } from './shared-reads.js';

/** More than a socket holds for its reader, and than one read brings. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Numbers one after the other, so that a piece that is missing, doubled or elsewhere shows. */
function numbersFrom(first: number, bytes: number): Buffer {
  const numbers = Uint32Array.from({ length: bytes / Uint32Array.BYTES_PER_ELEMENT }, (_none, position) => first + position);
  return Buffer.from(numbers.buffer);
}

function turn(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}

describe('a socket with shared reads', () => {
  let server: Server;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  /** A connection and its other end. */
  async function connected(): Promise<{ readonly near: Socket; readonly far: Socket }> {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', onread: SHARED_READS });
    await once(near, 'connect');
    const [far] = await accepted;
    sockets.push(near, far);
    return { near, far };
  }

  async function arrivedOn(socket: Socket, bytes: number): Promise<void> {
    while (socket.readableLength < bytes) await turn();
  }

  it('keeps what arrived on it, whatever arrives on others before it is read', async () => {
    const [first, second] = [await connected(), await connected()];
    first.far.write('the first');
    await arrivedOn(first.near, 9);
    second.far.write('SECONDLY!');
    await arrivedOn(second.near, 9);
    first.far.write(' and more');
    await arrivedOn(first.near, 18);
    expect(String(first.near.read())).toBe('the first and more');
    expect(String(second.near.read())).toBe('SECONDLY!');
  });

  it('reads no more than its reader takes, and all of it in the end', async () => {
    const sent = numbersFrom(1, LARGE_BYTES);
    const { near, far } = await connected();
    far.end(sent);
    await arrivedOn(near, near.readableHighWaterMark);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    expect(near.readableLength).toBeLessThan(LARGE_BYTES / 8);
    const pieces: Buffer[] = [];
    for await (const piece of near) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).equals(sent)).toBe(true);
  });

  it('tells of a connection that breaks', async () => {
    const { near, far } = await connected();
    const failed = once(near, 'error');
    near.resume();
    far.resetAndDestroy();
    await expect(failed).resolves.toMatchObject([{ code: 'ECONNRESET' }]);
  });
});
