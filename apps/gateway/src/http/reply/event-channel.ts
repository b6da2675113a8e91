import type { ServerResponse } from 'node:http';
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

  /** Sends the headers, which cannot change from here on. */
  constructor(private readonly res: ServerResponse, headers: HeaderList) {
    res.writeHead(200, headers.followedBy(...STREAM_HEADERS));
    this.#chunked = res.chunkedEncoding;
    res.chunkedEncoding = false;
  }

  /** Whether the client has taken what was sent before; what is sent now waits for it otherwise. */
  send(events: string): boolean {
    const bytes = Buffer.byteLength(events);
    const text = this.#chunked ? `${bytes.toString(16)}\r\n${events}\r\n` : events;
    // ASCII is the same in both, and takes less time to write as what it is.
    return this.res.write(text, bytes === events.length ? 'latin1' : 'utf8');
  }

  end(): void {
    if (this.#chunked && !this.res.closed) this.res.end(LAST_CHUNK);
    else this.res.end();
  }
}
