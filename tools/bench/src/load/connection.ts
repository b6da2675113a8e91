import { connect, type Socket } from 'node:net';
import { ReplyReader, type ReplyListener } from './reply-reader.js';
import type { RequestBytes } from './requests.js';

/** Hears of one request's reply. */
export interface Exchange extends ReplyListener {
  /** The connection broke before the reply was complete. */
  onBroken(reason: string): void;
}

/** One kept-alive connection, for one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;
  #closed = false;

  constructor(port: number) {
    const reader = new ReplyReader({
      onHead: (status) => this.#exchange?.onHead(status),
      onBody: (bytes) => this.#exchange?.onBody(bytes),
      onEnd: () => this.#end(),
    });
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes: Buffer) => reader.push(bytes));
    this.#socket.on('error', (error) => this.#break(error.message));
    this.#socket.on('close', () => this.#break('the server closed the connection'));
  }

  get isUsable(): boolean {
    return !this.#closed;
  }

  send({ beginning, rest }: RequestBytes, exchange: Exchange): void {
    this.#exchange = exchange;
    if (rest.length === 0) {
      this.#socket.write(beginning);
      return;
    }
    this.#socket.cork();
    this.#socket.write(beginning);
    this.#socket.write(rest);
    this.#socket.uncork();
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #end(): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.onEnd();
  }

  #break(reason: string): void {
    this.#closed = true;
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.onBroken(reason);
  }
}
