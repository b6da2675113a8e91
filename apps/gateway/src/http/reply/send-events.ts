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

/** False if the kernel's buffer is full; the caller then waits for `flushed`. */
export function sendEvents(res: ServerResponse, frames: string): boolean {
  const { socket } = res;
  // Node writes a chunk in four parts on the next tick; corked, they are one write now.
  socket?.cork();
  sendLastEvents(res, frames);
  socket?.uncork();
  return res.writableLength === 0;
}

/** Sends the last frames. Node buffers them until the turn ends, so that they leave together with the end of the reply. */
export function sendLastEvents(res: ServerResponse, frames: string): void {
  res.write(frames);
}
