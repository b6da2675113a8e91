import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { FuzzedRequest } from './fuzzed-request.js';

export interface FuzzedReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Time without a reply after which the client disconnects. */
const SILENCE_MILLISECONDS = 1_000;

/** Sends fuzzed requests. Requests with valid framing share a connection; each of the others gets a new one. */
export class FuzzClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** The previous request, named in errors because it may have broken the connection. */
  #before = 'nothing';

  constructor(private readonly url: string, private readonly key: string) {}

  /** Resolves with the replies; with none if the gateway read no complete request. Rejects if a request with valid framing gets no reply. */
  send(sent: FuzzedRequest): Promise<readonly FuzzedReply[]> {
    return sent.framing.kind === 'sound' ? this.#sendSoundly(sent) : this.#sendBytes(sent);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #sendSoundly({ method, target, headers, body }: FuzzedRequest): Promise<readonly FuzzedReply[]> {
    const { hostname, port } = new URL(this.url);
    const flat = [...headers.map(([name, value]) => [name, this.#withKey(value)] as const), ['content-length', String(body.length)] as const];
    const hosted = flat.some(([name]) => name === 'host') ? flat : [['host', hostname] as const, ...flat];
    // Node's agent cannot reuse a connection after an upgrade request that was answered before its body was sent.
    const agent = flat.some(([name]) => name === 'upgrade') ? false : this.#agent;
    return new Promise((resolve, reject) => {
      const outgoing = request({ hostname, port, method, path: target, headers: hosted.flat(), agent, setHost: false });
      outgoing.on('response', (incoming) => void collected(incoming).then((reply) => resolve([this.#remembered(reply)]), reject));
      outgoing.on('upgrade', (incoming, socket) => {
        socket.destroy();
        resolve([{ status: incoming.statusCode ?? 0, headers: incoming.headers, body: '' }]);
      });
      outgoing.on('error', (cause) => reject(new Error(`no reply over ${outgoing.reusedSocket ? 'the connection kept after ' : 'a new connection after '}${this.#before}: ${cause.message}`, { cause })));
      outgoing.end(body);
    });
  }

  #remembered(reply: FuzzedReply): FuzzedReply {
    this.#before = `a ${reply.status} with connection ${reply.headers.connection ?? 'unsaid'}`;
    return reply;
  }

  /** Sends raw bytes. Disconnects if the stated length was wrong; otherwise waits for the gateway to close. */
  async #sendBytes(sent: FuzzedRequest): Promise<readonly FuzzedReply[]> {
    const { hostname, port } = new URL(this.url);
    const received: Buffer[] = [];
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(this.#bytesOf(sent));
        if (sent.framing.kind === 'lies') socket.end();
      });
      socket.setTimeout(SILENCE_MILLISECONDS, () => socket.destroy());
      socket.on('data', (bytes) => void received.push(bytes));
      // The gateway may refuse bytes that are not HTTP with a reset.
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    return repliesIn(Buffer.concat(received).toString('utf8'));
  }

  #bytesOf({ method, target, headers, body, framing }: FuzzedRequest): Buffer {
    const lines = framing.kind === 'raw' ? framing.lines : framing.kind === 'lies' ? [`content-length: ${Math.max(0, body.length + framing.by)}`] : [];
    const fields = headers.map(([name, value]) => `${name}: ${this.#withKey(value)}`);
    const head = [`${method} ${target} HTTP/1.1`, 'host: gateway', 'connection: close', ...fields, ...lines].join('\r\n');
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body, Buffer.from(framing.kind === 'raw' ? framing.end : '')]);
  }

  #withKey(value: string): string {
    return value.replace('$key', this.key);
  }
}

async function collected(incoming: IncomingMessage): Promise<FuzzedReply> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(pieces).toString('utf8') };
}

/** Replies in raw bytes, with their status only. */
function repliesIn(text: string): readonly FuzzedReply[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => ({ status: Number(status), headers: {}, body: '' }));
}
