import type { AccountId, CancelSignal, ConnectionOptions, UpstreamTimeouts } from '@tollgate/core';
import { Pool } from 'undici';
import { failureOfReply } from '../reply/error-replies.js';
import { textOfBytes } from '../reply/text-of-bytes.js';
import { asUpstreamFailure } from '../upstream/upstream-failure.js';
import { ConnectionPlaces } from './connection-places.js';
import { DEFAULT_TIMEOUTS } from './default-options.js';
import type { ReplyHead } from './reply-head.js';
import { LargeBody, type RequestBody, type Transport } from './request-body.js';
import { type CallLimits, UpstreamCall } from './upstream-call.js';
import { noSocketLeft, type SocketPorts, UpstreamSockets } from './upstream-sockets.js';

export interface ConnectionTarget {
  /** Address of the server, with or without a trailing slash. */
  readonly baseUrl: string;
  /** Headers of every request, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly options: ConnectionOptions;
}

export interface ConnectionRequest {
  readonly endpoint: string;
  /** `null` sends a GET request. */
  readonly body: RequestBody | null;
  readonly accept: 'application/json' | 'text/event-stream';
  /** Multiplies the first-byte timeout. */
  readonly firstByteFactor: number;
  /** The account in whose turn the call waits; `NO_ACCOUNT` for the gateway's own calls. */
  readonly accountId: AccountId;
  readonly signal: CancelSignal | null;
  readonly requestId: string | null;
}

export interface Answer {
  readonly call: UpstreamCall;
  readonly head: ReplyHead;
}

/** Connections to one server, with its address, credentials and limits. */
export class UpstreamConnection {
  readonly transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #pool: Pool;
  readonly #address: UpstreamAddress;
  readonly #timeouts: UpstreamTimeouts;
  /** Cached limits of calls, by `firstByteFactor`, which has two values. */
  readonly #limits = new Map<number, CallLimits>();
  /** Headers of every request, as alternating names and values. */
  readonly #headers: readonly string[];

  readonly #sockets: UpstreamSockets;
  /** `null` if the upstream's connections are unbounded. */
  readonly #places: ConnectionPlaces | null;

  constructor({ baseUrl, headers, options }: ConnectionTarget, private readonly ports: SocketPorts) {
    this.#sockets = ports.sockets ?? new UpstreamSockets();
    this.#options = options;
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.#address = upstreamAddress(baseUrl);
    this.transport = this.#address.origin.startsWith('https:') ? 'encrypted' : 'plain';
    this.#headers = Object.entries({ 'user-agent': 'tollgate', ...headers }).flat();
    this.#pool = new Pool(this.#address.origin, {
      connections: options.maxConnections,
      connect: this.#sockets.connector({ timeout: this.#timeouts.connectMilliseconds, allowH2: false }),
      allowH2: false,
    });
    this.#places = options.maxConnections === null ? null : new ConnectionPlaces({
      most: options.maxConnections, waitMilliseconds: this.#timeouts.firstByteMilliseconds,
    }, ports.clock);
  }

  /** Resolves with a 2xx reply whose body is unread. Throws `UpstreamFailure`, or `server_busy` if no socket may be opened. */
  ask(request: ConnectionRequest): Promise<Answer> {
    return this.#places === null ? this.#askNow(request) : this.#askInTurn(this.#places, request);
  }

  /** Waits for running and waiting calls, then closes the connections. */
  async close(): Promise<void> {
    await this.#places?.idle();
    await this.#pool.close();
  }

  async #askInTurn(places: ConnectionPlaces, request: ConnectionRequest): Promise<Answer> {
    await places.take(request);
    const { accountId } = request;
    return this.#askNow(request, () => places.giveBack(accountId));
  }

  async #askNow(request: ConnectionRequest, ended?: () => void): Promise<Answer> {
    if (!this.#sockets.hasRoom() && this.#pool.stats.free === 0) {
      ended?.();
      throw noSocketLeft();
    }
    const call = new UpstreamCall(this.ports.clock, this.#limitsFor(request), ended);
    if (request.signal !== null) call.follow(request.signal);
    try {
      const head = await call.send(this.#pool, {
        method: request.body === null ? 'GET' : 'POST',
        path: this.#address.path(request.endpoint),
        headers: this.#headersFor(request),
        body: request.body,
      });
      if (head.status < 200 || head.status > 299) {
        const { status, retryAfterSeconds } = head;
        throw failureOfReply({ status, body: await readExcerpt(call), retryAfterSeconds });
      }
      return { call, head };
    } catch (thrown) {
      const failure = asUpstreamFailure(thrown);
      call.release();
      throw failure;
    }
  }

  #limitsFor({ firstByteFactor }: ConnectionRequest): CallLimits {
    const known = this.#limits.get(firstByteFactor);
    if (known !== undefined) return known;
    const timeouts = { ...this.#timeouts, firstByteMilliseconds: this.#timeouts.firstByteMilliseconds * firstByteFactor };
    const limits = { timeouts, maxResponseBytes: this.#options.maxResponseBytes };
    this.#limits.set(firstByteFactor, limits);
    return limits;
  }

  #headersFor({ body, accept, requestId }: ConnectionRequest): string[] {
    const headers = this.#headers.concat('accept', accept);
    if (body !== null) headers.push('content-type', 'application/json');
    if (body instanceof LargeBody) headers.push('content-length', String(body.byteLength));
    if (requestId !== null) headers.push('x-request-id', requestId);
    return headers;
  }
}

/** Maximum bytes read from an error reply: enough to classify and log it. */
const EXCERPT_BYTES = 64 * 1024;

/** The beginning of an error reply; ends where the reply breaks off. */
async function readExcerpt(call: UpstreamCall): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < EXCERPT_BYTES) {
    const read = await call.read().catch(() => null);
    if (read === null) break;
    for (const piece of read) length += piece.length;
    pieces.push(...read);
  }
  return textOfBytes([Buffer.concat(pieces).subarray(0, EXCERPT_BYTES)]);
}

/** Reads the body to its end. Throws `UpstreamFailure`. */
export async function readText(call: UpstreamCall): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let read = await call.read(); read !== null; read = await call.read()) pieces.push(...read);
  return textOfBytes(pieces);
}

interface UpstreamAddress {
  readonly origin: string;
  /** The request path of an endpoint, with the base address's query, if any. */
  path(endpoint: string): string;
}

/** Throws `TypeError` for an invalid address. */
function upstreamAddress(baseUrl: string): UpstreamAddress {
  const { origin, pathname, search } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, '');
  return { origin, path: (endpoint) => `${base}${endpoint}${endpoint.includes('?') ? search.replace('?', '&') : search}` };
}
