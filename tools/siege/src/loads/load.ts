export interface HttpLoad {
  readonly kind: 'http';
  readonly connections: number;
  /** Over all connections; `null` for as fast as replies arrive. */
  readonly requestsPerSecond: number | null;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turns; empty for none. */
  readonly bodies: readonly string[];
  /** Values of `{key}` in headers, in turns; `{number}` is a new number each time, in headers and bodies. */
  readonly keys: readonly string[];
  /** True for one connection per request. */
  readonly reconnects: boolean;
}

/** Connections that send something unreadable or half a request, and never close. */
export interface HalfOpenLoad {
  readonly kind: 'half-open';
  readonly connections: number;
}

/** Idle connections, also after one request; replaced when closed. */
export interface IdleLoad {
  readonly kind: 'idle';
  readonly connections: number;
  /** Sent once per connection; empty for nothing. */
  readonly request: string;
}

/** Connections that announce large bodies and send them slowly; each is replaced a second after it closes. */
export interface UploadLoad {
  readonly kind: 'uploads';
  readonly connections: number;
  readonly path: string;
  /** As in an `HttpLoad`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly announcedBytes: number;
  /** Per connection; 0 sends headers only. */
  readonly bytesPerSecond: number;
}

export type Load = HttpLoad | HalfOpenLoad | IdleLoad | UploadLoad;

export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly load: Load;
}

/** Latencies are in whole milliseconds, including the time before sending; 0 for loads without requests. */
export interface LoadResult {
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
  readonly requests: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Refused or broken connections and timeouts. */
  readonly unanswered: number;
}

const NUMBER = /\{number\}/g;
const KEY = /\{key\}/g;
/** Fits one group of an IPv6 address. */
const NUMBERS = 0x10000;
const HEXADECIMAL = 16;

/** Replaces `{number}` and `{key}`. */
export class Numbering {
  #count = 0;

  constructor(private readonly keys: readonly string[]) {}

  /** Replaces the placeholders in texts of one request, which all get the same number and key. */
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
