import { NUMBER_DIGITS } from './bodies.js';
import type { LoadTarget } from './load-generator.js';

/** Numbers of conversations, none of which is ever given out twice. */
export class ConversationNumbers {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** Numbers that no earlier run has used either: it would have had to begin a million conversations a second. */
  static fromNow(): ConversationNumbers {
    return new ConversationNumbers(Date.now() * 1000);
  }

  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }
}

/** The number as it stands in a text. */
export function digitsOf(conversation: number): string {
  return conversation.toString().padStart(NUMBER_DIGITS, '0');
}

/** The bytes of one request. */
export interface RequestBytes {
  /** The head and the body as far as requests differ. */
  readonly beginning: Buffer;
  /** The others too hold these bytes, since copying 1.5 MB would take the load half a millisecond. */
  readonly rest: Buffer;
}

/** What a connection sends next. */
export type NextRequest = () => RequestBytes;

/** A request of a conversation, with a head for each key; with no key, with the one head. */
interface PreparedRequest {
  readonly heads: readonly Buffer[];
  /** With the place of the number at its end; all of the body where there is none. */
  readonly beginning: Buffer;
  readonly rest: Buffer;
}

function headOf({ path, headers }: LoadTarget, key: string | null, bodyBytes: number): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${bodyBytes}`,
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function prepare(target: LoadTarget, text: string): PreparedRequest {
  const { keys, body: { numberAt } } = target;
  const bytes = Buffer.from(text);
  const beginningBytes = numberAt === null ? bytes.length : numberAt + NUMBER_DIGITS;
  const heads = (keys.length === 0 ? [null] : keys).map((key) => headOf(target, key, bytes.length));
  return { heads, beginning: bytes.subarray(0, beginningBytes), rest: bytes.subarray(beginningBytes) };
}

/** What was prepared, with the number of the conversation in it. */
function requestOf({ heads, beginning, rest }: PreparedRequest, numberAt: number | null, conversation: number): RequestBytes {
  const head = heads[conversation % heads.length];
  if (head === undefined) throw new Error('every request has at least one head');
  const own = Buffer.concat([head, beginning]);
  if (numberAt !== null) own.write(digitsOf(conversation), head.length + numberAt, 'latin1');
  return { beginning: own, rest };
}

/**
 * Prepares the requests of a load; what it returns is called once for each connection, whose requests it makes one by one:
 * a conversation to its last request with one key, then the next with a new number and the key that is next among all connections.
 * Each connection begins with another request of its first conversation, so that the same are sent on average however long a load lasts.
 */
export function requestsOf(target: LoadTarget, numbers: ConversationNumbers): () => NextRequest {
  const { requests, numberAt } = target.body;
  const prepared = requests.map((text) => prepare(target, text));
  let connections = 0;
  return () => {
    let conversation: number | null = null;
    let position = connections % prepared.length;
    connections += 1;
    return () => {
      if (conversation === null || position === 0) conversation = numbers.take();
      const request = prepared[position];
      if (request === undefined) throw new Error('a body has at least one request');
      position = (position + 1) % prepared.length;
      return requestOf(request, numberAt, conversation);
    };
  };
}
