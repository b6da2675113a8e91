import type { ServerResponse } from 'node:http';
import type { HttpExchange } from '../http-exchange.js';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells proxies not to buffer events.
  'x-accel-buffering': 'no',
};

/** Sends the headers with the first event. */
export function beginEvents(exchange: Pick<HttpExchange, 'writeHead'>): void {
  exchange.writeHead(200, STREAM_HEADERS);
}

/** False if the kernel's buffer is full: wait for `flushed`. */
export function sendEvents(res: ServerResponse, frames: string): boolean {
  const { socket } = res;
  // Node writes a chunk in four parts on the next tick; corked, they are one write now.
  socket?.cork();
  sendLastEvents(res, frames);
  socket?.uncork();
  return res.writableLength === 0;
}

/** Node buffers them until the end of the turn, so that they leave together. */
export function sendLastEvents(res: ServerResponse, frames: string): void {
  res.write(frames);
}
