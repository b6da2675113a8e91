import { connect, type Socket } from 'node:net';
import { NUMBER_HEADER } from './relayed-output.js';

/** How a client disconnects: with FIN, with RST, or with FIN while it continues to read. */
export const MANNERS = ['close', 'reset', 'half-close'] as const;
export type Manner = (typeof MANNERS)[number];

export interface DepartingClientOptions {
  readonly url: string;
  readonly key: string;
  readonly number: number;
  readonly body: string;
  /** Disconnects after this many bytes of the reply, headers included; if infinite, only when the test calls `leave`. */
  readonly leavesAfterBytes: number;
  readonly leavesBy: Manner;
}

/** A client that may disconnect at any byte of the reply. */
export class DepartingClient {
  /** Resolves with all received text when the connection is closed. */
  readonly gone: Promise<string>;
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #receivedBytes = 0;
  #hasLeft = false;

  constructor(private readonly options: DepartingClientOptions) {
    const { hostname, port } = new URL(options.url);
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    // The client's own disconnection is reported as an error.
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#socket.on('end', () => this.#socket.destroy());
    this.gone = new Promise((resolve) => {
      this.#socket.once('close', () => resolve(Buffer.concat(this.#received).toString('utf8')));
    });
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Resolves when the request has been written. */
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
    if (this.#hasLeft || this.#socket.destroyed) return;
    this.#hasLeft = true;
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
