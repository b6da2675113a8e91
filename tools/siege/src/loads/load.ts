/** Requests that one load process sends over a number of connections. */
export interface HttpLoad {
  readonly kind: 'http';
  readonly connections: number;
  /** Over all connections; `null` sends the next request as soon as the last one is answered. */
  readonly requestsPerSecond: number | null;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One after the other, in turns; empty for requests without a body. */
  readonly bodies: readonly string[];
  /** What replaces `{key}` in the headers, one after the other; `{number}` is replaced by another number each time, in headers and bodies. */
  readonly keys: readonly string[];
  /** Whether each request has a connection of its own. */
  readonly reconnects: boolean;
}

/** Connections that send something unreadable or half a request and keep their side open for ever. */
export interface HalfOpenLoad {
  readonly kind: 'half-open';
  readonly connections: number;
}

/** Connections that send nothing, or one request at the start, and stay open. Closed ones are opened again. */
export interface IdleLoad {
  readonly kind: 'idle';
  readonly connections: number;
  /** Sent once on each connection; empty for nothing. */
  readonly request: string;
}

/** Uploads that announce a large body and send it slowly. Each is followed by another one, a second after its connection has closed. */
export interface UploadLoad {
  readonly kind: 'uploads';
  readonly connections: number;
  readonly path: string;
  /** As in an `HttpLoad`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly announcedBytes: number;
  /** Of each connection; 0 sends headers only. */
  readonly bytesPerSecond: number;
}

export type Load = HttpLoad | HalfOpenLoad | IdleLoad | UploadLoad;

/** What a load process is asked to do. */
export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly load: Load;
}

/** What came of it. Latencies are in whole milliseconds, corrected for requests that had to wait to be sent; 0 for loads that are not of requests. */
export interface LoadResult {
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
  readonly requests: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without a reply: refused or broken connections and timeouts. */
  readonly unanswered: number;
}

const NUMBER = /\{number\}/g;
const KEY = /\{key\}/g;
/** Numbers stand in one group of an IPv6 address, in hexadecimal. */
const NUMBERS = 0x10000;
const HEXADECIMAL = 16;

/** Replaces `{number}` and `{key}` in texts, with other values for each request. */
export class Numbering {
  #count = 0;

  constructor(private readonly keys: readonly string[]) {}

  /** What one request puts into its texts. */
  next(): (text: string) => string {
    this.#count = (this.#count + 1) % NUMBERS;
    const number = this.#count.toString(HEXADECIMAL);
    const key = this.keys[this.#count % Math.max(1, this.keys.length)] ?? '';
    return (text) => text.replaceAll(NUMBER, number).replaceAll(KEY, key);
  }
}

export function numberedHeaders(headers: Readonly<Record<string, string>>, put: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)]));
}
