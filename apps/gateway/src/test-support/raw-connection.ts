import { connect, type Socket } from 'node:net';

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

  /** Resolves when the bytes have left, or cannot any more. */
  send(bytes: string | Buffer): Promise<void> {
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
