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

/** Sends the events of one reply that `beginEvents` began. Node writes a chunk in four parts, so chunks are framed here; `docs/performance.md` states the gain. */
export class EventWriter {
  #hasBegun = false;

  constructor(private readonly res: ServerResponse) {}

  /** Sends frames. False if the buffer of the kernel is full: wait for `flushed`. */
  send(frames: string): boolean {
    const { socket } = this.res;
    if (this.#hasBegun && socket?.writable === true) socket.write(this.res.chunkedEncoding ? chunkOf(frames) : frames);
    else {
      // Corked, the headers and the chunk are one write.
      socket?.cork();
      this.sendLast(frames);
      socket?.uncork();
    }
    return this.res.writableLength === 0;
  }

  /** Node buffers them until the end of the turn, so that they leave together. */
  sendLast(frames: string): void {
    this.#hasBegun = true;
    this.res.write(frames);
  }
}

/** `text` is not empty: an empty chunk ends the reply. */
function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
