import { connect, type Socket } from 'node:net';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** A connection that sends the bytes a test gives it and keeps all that comes back. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #closed = false;
  #waiting: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
    // A reset counts as the end: what came before it is what the client got.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const connection = new RawConnection(socket);
    await new Promise((resolve) => {
      socket.once('connect', resolve);
    });
    return connection;
  }

  get received(): string {
    return this.#received;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves when the bytes have left, or cannot any more. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
  }

  /** Stops taking bytes from the network until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Takes at least so many bytes from the network, and no more after that. */
  async take(bytes: number): Promise<void> {
    const before = this.#received.length;
    this.resume();
    while (!this.#closed && this.#received.length - before < bytes) await this.#change();
    this.pause();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves when what came back contains a text; throws when the connection closes without it. */
  async until(text: string): Promise<string> {
    let searched = 0;
    while (!this.#received.includes(text, searched)) {
      if (this.#closed) throw new Error(`closed before ${JSON.stringify(text)}: ${this.#received}`);
      searched = Math.max(0, this.#received.length - text.length);
      await this.#change();
    }
    return this.#received;
  }

  /** Everything that came back, once the connection is closed. */
  async untilClosed(): Promise<string> {
    while (!this.#closed) await this.#change();
    return this.#received;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Far more than anything takes that is going to happen at all. */
const PATIENCE_MILLISECONDS = 10_000;

/** Resolves once a condition holds, looked at each time all input and output that was ready has been handled. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never came about: ${condition.toString()}`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** One event as it arrived. */
interface StreamedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/** A browser's stream of events, read as it arrives. Close it after the test. */
export class EventStream {
  readonly events: StreamedEvent[] = [];
  comments = 0;
  status = 0;
  hasEnded = false;
  #rest = '';
  readonly #request: ClientRequest;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#request = request(url, { headers }, (response) => this.#read(response));
    this.#request.on('error', () => {
      this.hasEnded = true;
    }).end();
  }

  /** Resolves once so many events of a name have arrived, with them. */
  async of(event: string, least = 1): Promise<readonly StreamedEvent[]> {
    const ofName = (): readonly StreamedEvent[] => this.events.filter((each) => each.event === event);
    await eventually(() => ofName().length >= least);
    return ofName();
  }

  /** Resolves once the gateway has ended the stream. */
  async ended(): Promise<void> {
    await eventually(() => this.hasEnded);
  }

  close(): void {
    this.#request.destroy();
  }

  #read(response: IncomingMessage): void {
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8').on('error', () => undefined).on('close', () => {
      this.hasEnded = true;
    }).on('data', (text: string) => {
      const parts = `${this.#rest}${text}`.split('\n\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) this.#take(part);
    });
  }

  #take(part: string): void {
    if (part.startsWith(':')) {
      this.comments += 1;
      return;
    }
    const field = (name: string): string | null => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? null;
    this.events.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(field('data') ?? 'null') });
  }
}
