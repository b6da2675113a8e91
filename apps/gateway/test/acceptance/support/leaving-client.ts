import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

export interface LeavingClientOptions {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  /** Disconnects after this many bytes, headers included; 0 after sending, infinity never. */
  readonly leavesAfterBytes: number;
  /** `close` sends FIN, `reset` RST. */
  readonly leavesBy: 'close' | 'reset';
  /** Called with the body so far at each change, unless the client disconnects. */
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

/** A client that may disconnect at any byte. Resolves when the connection is closed. */
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
    // A client that disconnects sees a broken connection.
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
