import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HalfOpenLoad } from '../attacks/attack.js';
import type { LoadResult } from './load-messages.js';

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
export async function runHalfOpenLoad({ connections }: HalfOpenLoad, { port, seconds }: { readonly port: number; readonly seconds: number }): Promise<LoadResult> {
  const sockets = Array.from({ length: connections }, (_, index) => open(port, index));
  await wait(seconds * MILLISECONDS_PER_SECOND);
  for (const socket of sockets) socket.destroy();
  return { p50Milliseconds: 0, p99Milliseconds: 0, longestMilliseconds: 0, requests: connections, statuses: {}, unanswered: 0 };
}
