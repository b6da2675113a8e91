import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type HalfOpenLoad, type IdleLoad, type LoadResult, numberedHeaders, Numbering, type UploadLoad } from './load.js';

const MILLISECONDS_PER_SECOND = 1000;
/** First bytes of connections: an unreadable request line, headers that are too large, and bytes that are not HTTP. */
const OPENINGS = ['GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nhost: siege\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '\u0000\u0000\u0000\r\n\r\n'];
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

interface Order {
  readonly port: number;
  readonly seconds: number;
}

class Tally {
  #requests = 0;
  #unanswered = 0;
  readonly #statuses = new Map<string, number>();

  began(): void {
    this.#requests += 1;
  }

  answered(status: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  lost(): void {
    this.#unanswered += 1;
  }

  result(): LoadResult {
    return {
      p50Milliseconds: 0, p99Milliseconds: 0, longestMilliseconds: 0,
      requests: this.#requests, statuses: Object.fromEntries(this.#statuses), unanswered: this.#unanswered,
    };
  }
}

/** Keeps refused connections half-open until the end. Only the server's descriptors show whether it has closed them completely. */
export async function runHalfOpenLoad({ connections }: HalfOpenLoad, { port, seconds }: Order): Promise<LoadResult> {
  const tally = new Tally();
  const sockets = Array.from({ length: connections }, (_, index) => {
    tally.began();
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    socket.on('error', () => socket.destroy());
    socket.once('connect', () => socket.write(OPENINGS[index % OPENINGS.length] ?? ''));
    return socket.resume();
  });
  await wait(seconds * MILLISECONDS_PER_SECOND);
  for (const socket of sockets) socket.destroy();
  return tally.result();
}

/**
 * Keeps this number of connections open; a closed one is replaced after a second. `begin` is called for each open connection, and returns a function
 * that cleans up.
 */
async function keepOpen(connections: number, { port, seconds }: Order, begin: (socket: Socket, tally: Tally) => (() => void)): Promise<LoadResult> {
  const tally = new Tally();
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (): void => {
    if (isOver) return;
    tally.began();
    const socket = connect({ host: '127.0.0.1', port });
    let hasAnswer = false;
    let end: () => void = () => undefined;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('connect', () => {
      end = begin(socket, tally);
    });
    socket.on('data', (chunk: Buffer) => {
      const status = hasAnswer ? undefined : STATUS.exec(chunk.toString('latin1'))?.[1];
      if (status === undefined) return;
      hasAnswer = true;
      tally.answered(status);
    });
    socket.once('close', () => {
      end();
      sockets.delete(socket);
      if (!hasAnswer && !isOver) tally.lost();
      setTimeout(open, MILLISECONDS_PER_SECOND);
    });
  };
  for (let index = 0; index < connections; index += 1) open();
  await wait(seconds * MILLISECONDS_PER_SECOND);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return tally.result();
}

export function runIdleLoad({ connections, request }: IdleLoad, order: Order): Promise<LoadResult> {
  return keepOpen(connections, order, (socket) => {
    if (request !== '') socket.write(request);
    return () => undefined;
  });
}

const PIECE_MILLISECONDS = 250;

/** Sends bodies at a fixed rate. The connection of an upload that gets a reply is not used again. */
export function runUploadLoad(load: UploadLoad, order: Order): Promise<LoadResult> {
  const numbering = new Numbering(load.keys);
  const piece = Buffer.alloc(Math.ceil((load.bytesPerSecond * PIECE_MILLISECONDS) / MILLISECONDS_PER_SECOND), ' ');
  return keepOpen(load.connections, order, (socket) => {
    const headers = numberedHeaders({ ...load.headers, 'content-length': String(load.announcedBytes) }, numbering.next());
    const lines = Object.entries({ host: 'siege', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${load.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.once('data', () => socket.end());
    if (load.bytesPerSecond === 0) return () => undefined;
    let left = load.announcedBytes;
    const timer = setInterval(() => {
      socket.write(piece.subarray(0, left));
      left -= Math.min(left, piece.length);
      if (left === 0) clearInterval(timer);
    }, PIECE_MILLISECONDS);
    return () => clearInterval(timer);
  });
}
