import { connect, type Socket } from 'node:net';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Records all received data. */
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
    // A reset counts as the end; the client keeps what it received before.
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

  /** Resolves when the bytes are written, or can no longer be. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Reads this many bytes, then pauses. */
  async take(bytes: number): Promise<void> {
    const before = this.#received.length;
    this.resume();
    while (!this.#closed && this.#received.length - before < bytes) await this.#change();
    this.pause();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Rejects if the connection closes first. */
  async until(text: string): Promise<string> {
    let searched = 0;
    while (!this.#received.includes(text, searched)) {
      if (this.#closed) throw new Error(`the connection closed before ${JSON.stringify(text)} arrived; this arrived: ${this.#received}`);
      searched = Math.max(0, this.#received.length - text.length);
      await this.#change();
    }
    return this.#received;
  }

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

/** Limit of a wait for something that never happens; long enough for a busy machine. */
const PATIENCE_MILLISECONDS = 60_000;

/** Turns of the event loop that are usually enough for what needs neither a timer nor another process. */
const BUSY_TURNS = 50;

/** Checks after each turn of the event loop, and later after each millisecond, so that a long wait takes no CPU. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (let turn = 0; !condition(); turn += 1) {
    if (performance.now() > deadline) throw new Error(`the condition did not become true: ${condition.toString()}`);
    await (turn < BUSY_TURNS ? new Promise(setImmediate) : pause(1));
  }
}

interface StreamedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/** An open stream of server-sent events. Close it after the test. */
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

  /** Waits for this many events of the name, and returns them. */
  async of(event: string, least = 1): Promise<readonly StreamedEvent[]> {
    const ofName = (): readonly StreamedEvent[] => this.events.filter((each) => each.event === event);
    await eventually(() => ofName().length >= least);
    return ofName();
  }

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
