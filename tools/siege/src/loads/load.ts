export interface HttpLoad {
  readonly kind: 'http';
  readonly connections: number;
  /** Rate over all connections; `null`: each connection sends its next request when it has the last reply. */
  readonly requestsPerSecond: number | null;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies that requests send in turn; without any, requests have no body. */
  readonly bodies: readonly string[];
  /** Values that replace `{key}` in headers, in turn. `{number}` in headers and bodies becomes a hexadecimal number that grows with each request. */
  readonly keys: readonly string[];
  /** True if each request has a connection of its own. */
  readonly reconnects: boolean;
}

/** Connections that send something unreadable or half a request, and that the client never closes. */
export interface HalfOpenLoad {
  readonly kind: 'half-open';
  readonly connections: number;
}

/** Connections that are idle, or become idle after one request. A closed one is replaced. */
export interface IdleLoad {
  readonly kind: 'idle';
  readonly connections: number;
  /** The request that each connection sends once; empty for none. */
  readonly request: string;
}

/** Connections that state a large body and send it slowly. Each is replaced a second after it has closed. */
export interface UploadLoad {
  readonly kind: 'uploads';
  readonly connections: number;
  readonly path: string;
  /** Headers with the placeholders of an `HttpLoad`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly announcedBytes: number;
  /** Rate of each connection; 0: it sends only headers. */
  readonly bytesPerSecond: number;
}

export type Load = HttpLoad | HalfOpenLoad | IdleLoad | UploadLoad;

export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly load: Load;
}

/** Result of a load. Latencies are whole milliseconds, at a fixed rate corrected for coordinated omission; they are 0 for loads without requests. */
export interface LoadResult {
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
  readonly requests: number;
  /** Number of replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of connections that were refused or broken, and of timeouts. */
  readonly unanswered: number;
}

const NUMBER = /\{number\}/g;
const KEY = /\{key\}/g;
/** Numbers repeat after this many, so that each fits one group of an IPv6 address. */
const NUMBERS = 0x10000;
const HEXADECIMAL = 16;

/** Replaces `{number}` and `{key}` in the texts of requests. */
export class Numbering {
  #count = 0;

  constructor(private readonly keys: readonly string[]) {}

  /** Returns a function that replaces the placeholders in the texts of one request, all by the same number and key. */
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
