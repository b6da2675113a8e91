import type { ServerResponse } from 'node:http';
import type { EncodedEvents } from '@tollgate/core';
import type { HeaderList } from './header-list.js';

const STREAM_HEADERS: readonly string[] = [
  'content-type', 'text/event-stream; charset=utf-8',
  'cache-control', 'no-store',
  // Asks a proxy in between to pass every event on as it comes.
  'x-accel-buffering', 'no',
];

const LAST_CHUNK = '0\r\n\r\n';

/**
 * Sends events in one write each. Node frames a chunked reply in four pieces per write, which would cost more than the event:
 * so the frame is written here, into the same text. A reply that is not chunked, to a client of HTTP/1.0, has no frames.
 */
export class EventChannel {
  readonly #chunked: boolean;
  #headersSent = false;

  /** Sends the headers, which cannot change from here on. */
  constructor(private readonly res: ServerResponse, headers: HeaderList) {
    res.writeHead(200, headers.followedBy(...STREAM_HEADERS));
    this.#chunked = res.chunkedEncoding;
    res.chunkedEncoding = false;
  }

  /**
   * Whether the operating system has taken all that was sent; otherwise wait until it is `flushed` before sending more. Node would hold
   * every write to a reply back for more to come: what follows the headers goes straight to the connection, as soon as the reply has it.
   */
  send(events: EncodedEvents): boolean {
    const { socket } = this.res;
    if (!this.#headersSent || socket === null || !socket.writable) {
      this.sendLast(events);
      // A reply behind another on the same connection has no connection yet. Else Node writes at the end of this turn.
      return socket !== null && !this.res.writableNeedDrain;
    }
    const { text, encoding } = this.#frame(events);
    socket.write(text, encoding);
    return socket.writableLength === 0;
  }

  /** Like `send`, for events that nothing but the end follows: they leave together with it. */
  sendLast(events: EncodedEvents): void {
    this.#headersSent = true;
    const { text, encoding } = this.#frame(events);
    this.res.write(text, encoding);
  }

  #frame({ text, isAscii }: EncodedEvents): { readonly text: string; readonly encoding: BufferEncoding } {
    const bytes = isAscii ? text.length : Buffer.byteLength(text);
    return {
      text: this.#chunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text,
      // ASCII is the same in both, and takes less time to write as what it is.
      encoding: bytes === text.length ? 'latin1' : 'utf8',
    };
  }

  end(): void {
    if (this.#chunked && !this.res.closed) this.res.end(LAST_CHUNK);
    else this.res.end();
  }
}
