import { connect, type Socket } from 'node:net';
import { NUMBER_HEADER } from './relayed-output.js';

/** How a client goes: in good order, without a word, or by saying that it will send no more while it still reads. */
export const MANNERS = ['close', 'reset', 'half-close'] as const;
export type Manner = (typeof MANNERS)[number];

export interface DepartingClientOptions {
  readonly url: string;
  readonly key: string;
  readonly number: number;
  readonly body: string;
  /** Goes by itself once so many bytes have come back, headers included; at infinity only when it is told to. */
  readonly leavesAfterBytes: number;
  readonly leavesBy: Manner;
}

/** A client on a connection of its own that sends one request and may leave at any byte of the reply. */
export class DepartingClient {
  /** Resolves with everything that came back, once the connection is closed. */
  readonly gone: Promise<string>;
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #receivedBytes = 0;
  #leftAt: number | null = null;

  constructor(private readonly options: DepartingClientOptions) {
    const { hostname, port } = new URL(options.url);
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    // A client that disconnects sees a broken connection.
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#socket.on('end', () => this.#socket.destroy());
    this.gone = new Promise((resolve) => {
      this.#socket.once('close', () => resolve(Buffer.concat(this.#received).toString('utf8')));
    });
  }

  /** On the clock of `performance.now()`; `null` as long as it has not left. */
  get leftAt(): number | null {
    return this.#leftAt;
  }

  /** Resolves when the request has been handed to the network. */
  send(): Promise<void> {
    const { url, key, number, body } = this.options;
    const { pathname, host } = new URL(url);
    const head = [
      `POST ${pathname} HTTP/1.1`, `host: ${host}`, `x-api-key: ${key}`, `${NUMBER_HEADER}: ${number}`, 'connection: close',
      'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`,
    ];
    return new Promise((resolve) => {
      this.#socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve());
    });
  }

  leave(): void {
    if (this.#leftAt !== null || this.#socket.destroyed) return;
    this.#leftAt = performance.now();
    switch (this.options.leavesBy) {
      case 'close':
        this.#socket.destroy();
        return;
      case 'reset':
        this.#socket.resetAndDestroy();
        return;
      case 'half-close': this.#socket.end();
    }
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes >= this.options.leavesAfterBytes) this.leave();
  }
}
