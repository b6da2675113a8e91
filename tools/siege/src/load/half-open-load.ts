import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HalfOpenLoad } from '../attacks/attack.js';
import type { LoadResult } from './load-messages.js';

const MILLISECONDS_PER_SECOND = 1000;
const TURNS_PER_SECOND = 4;
/** How long the server has to close what it refused last. */
const CLOSING_MILLISECONDS = 2000;
/** Unreadable; too large for its headers; and not readable as a request line. */
const OPENINGS = ['GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nhost: siege\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '\u0000\u0000\u0000\r\n\r\n'];

/** Keeps its side open whatever the server says. */
function open(port: number, index: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => socket.destroy());
  socket.once('connect', () => socket.write(OPENINGS[index % OPENINGS.length] ?? ''));
  return socket.resume();
}

/** Connections that are opened anew once the server has closed them. */
class HalfOpenConnections {
  opened = 0;
  readonly #sockets: Socket[];

  constructor(private readonly port: number, count: number) {
    this.#sockets = Array.from({ length: count }, (_, index) => this.#open(index));
  }

  get stillOpen(): number {
    return this.#sockets.filter((socket) => !socket.destroyed).length;
  }

  reopenClosed(): void {
    for (const [index, socket] of this.#sockets.entries()) if (socket.destroyed) this.#sockets[index] = this.#open(index);
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(index: number): Socket {
    this.opened += 1;
    return open(this.port, index);
  }
}

/** Opens connections that are refused, and opens each anew once the server has closed it, four times a second. */
export async function runHalfOpenLoad({ connections }: HalfOpenLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const attack = new HalfOpenConnections(port, connections);
  for (let turn = 0; turn < seconds * TURNS_PER_SECOND; turn += 1) {
    await wait(MILLISECONDS_PER_SECOND / TURNS_PER_SECOND);
    attack.reopenClosed();
  }
  await wait(CLOSING_MILLISECONDS);
  const { opened, stillOpen } = attack;
  attack.destroy();
  return { p50Milliseconds: 0, p99Milliseconds: 0, longestMilliseconds: 0, requests: opened, statuses: {}, unanswered: 0, stillOpen };
}
