import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

export interface LeavingClientOptions {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  /** Disconnects after this many bytes of the reply, headers included. 0: when the request is sent; infinity: never. */
  readonly leavesAfterBytes: number;
  /** `close` ends the connection with FIN, `reset` with RST. */
  readonly leavesBy: 'close' | 'reset';
  /** Receives the body so far whenever it grows, until the client disconnects. */
  readonly onBody: (body: string) => void;
}

export interface SeenReply {
  /** `null` if the client disconnected before the headers. */
  readonly status: number | null;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** True if the client received the complete reply. */
  readonly complete: boolean;
}

const NOTHING_SEEN: SeenReply = { status: null, headers: {}, body: '', complete: false };

/** A client that may disconnect at any byte. Its promise resolves when the connection is closed. */
export class LeavingClient {
  readonly #seen: Promise<SeenReply>;
  readonly #request: ClientRequest;
  #response: IncomingMessage | null = null;
  #body = '';
  #left = false;

  private constructor(private readonly options: LeavingClientOptions) {
    const { url, key, body, leavesAfterBytes } = options;
    this.#request = request(url, {
      method: 'POST', agent: false, headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    this.#seen = new Promise((resolve) => {
      this.#request.once('close', () => {
        resolve(this.#whatWasSeen());
      });
    });
    // The client's own disconnection is reported as an error.
    this.#request.on('error', () => undefined);
    this.#request.on('response', (response) => {
      this.#read(response);
    });
    this.#request.end(body, () => {
      if (leavesAfterBytes === 0) this.#leave();
    });
  }

  static send(options: LeavingClientOptions): Promise<SeenReply> {
    return new LeavingClient(options).#seen;
  }

  #read(response: IncomingMessage): void {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (text: string) => {
      this.#body += text;
      this.#staysOrLeaves(response.socket);
    });
    this.#staysOrLeaves(response.socket);
  }

  #staysOrLeaves({ bytesRead }: Socket): void {
    const { leavesAfterBytes, onBody } = this.options;
    if (bytesRead >= leavesAfterBytes) this.#leave();
    else onBody(this.#body);
  }

  #leave(): void {
    this.#left = true;
    const { socket } = this.#request;
    if (this.options.leavesBy === 'reset') socket?.resetAndDestroy();
    this.#request.destroy();
  }

  #whatWasSeen(): SeenReply {
    const response = this.#response;
    if (response === null) return NOTHING_SEEN;
    return { status: response.statusCode ?? null, headers: response.headers, body: this.#body, complete: response.complete && !this.#left };
  }
}
