import { connect, type Socket } from 'node:net';
import type { RequestBytes } from './requests.js';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LINE_FEED = 10;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_FROM = 'HTTP/1.1 '.length;
const STATUS_TO = STATUS_FROM + 3;
const NOTHING = Buffer.alloc(0);

interface ReplyListener {
  onHead(status: number): void;
  /** Receives bytes of the body, which may be split anywhere. */
  onBody(bytes: Buffer): void;
  onEnd(): void;
}

type Part = 'head' | 'fixed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

/** A fast HTTP/1.1 reader for the replies of the bench's own servers. The bytes may be split anywhere. */
export class ReplyReader {
  #part: Part = 'head';
  /** The beginning of a head or line whose end has not arrived. */
  #pending: Buffer = NOTHING;
  #left = 0;

  constructor(private readonly listener: ReplyListener) {}

  push(bytes: Buffer): void {
    let rest = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    this.#pending = NOTHING;
    while (rest.length > 0) {
      const taken = this.#take(rest);
      if (taken === 0) {
        this.#pending = rest;
        return;
      }
      rest = rest.subarray(taken);
    }
  }

  /** Reads one part; returns the number of bytes that it consumed, 0 if it needs more. */
  #take(bytes: Buffer): number {
    switch (this.#part) {
      case 'head': return this.#takeHead(bytes);
      case 'fixed':
      case 'chunk': return this.#takeBody(bytes);
      case 'chunk-size':
      case 'chunk-end':
      case 'trailer': return this.#takeLine(bytes);
    }
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1) return 0;
    const head = bytes.toString('latin1', 0, end);
    this.#left = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    this.#part = CHUNKED.test(head) ? 'chunk-size' : 'fixed';
    this.listener.onHead(Number(head.slice(STATUS_FROM, STATUS_TO)));
    if (this.#part === 'fixed' && this.#left === 0) this.#finish();
    return end + END_OF_HEAD.length;
  }

  #takeBody(bytes: Buffer): number {
    const length = Math.min(this.#left, bytes.length);
    this.listener.onBody(bytes.subarray(0, length));
    this.#left -= length;
    if (this.#left > 0) return length;
    if (this.#part === 'fixed') this.#finish();
    else this.#part = 'chunk-end';
    return length;
  }

  #takeLine(bytes: Buffer): number {
    const end = bytes.indexOf(LINE_FEED);
    if (end === -1) return 0;
    if (this.#part === 'chunk-size') this.#beginChunk(Number.parseInt(bytes.toString('latin1', 0, end), 16));
    else if (this.#part === 'chunk-end') this.#part = 'chunk-size';
    else this.#finish();
    return end + 1;
  }

  #beginChunk(size: number): void {
    this.#left = size;
    this.#part = size === 0 ? 'trailer' : 'chunk';
  }

  #finish(): void {
    this.#part = 'head';
    this.listener.onEnd();
  }
}

export interface BenchRequest extends ReplyListener {
  /** Called if the connection closes while the reply is incomplete. */
  onBroken(reason: string): void;
}

/** A kept-alive connection that carries one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #current: BenchRequest | null = null;
  #closed = false;

  constructor(port: number) {
    const reader = new ReplyReader({
      onHead: (status) => this.#current?.onHead(status),
      onBody: (bytes) => this.#current?.onBody(bytes),
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

  send({ beginning, rest }: RequestBytes, request: BenchRequest): void {
    this.#current = request;
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
    const request = this.#current;
    this.#current = null;
    request?.onEnd();
  }

  #break(reason: string): void {
    this.#closed = true;
    const request = this.#current;
    this.#current = null;
    request?.onBroken(reason);
  }
}
