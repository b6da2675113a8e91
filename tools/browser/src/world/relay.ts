import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Link {
  readonly browser: Socket;
  readonly gateway: Socket;
  /** The path of the last request through it. */
  asked: string | null;
}

/** Stands between browsers and a gateway, as a network does that can lose connections without telling either end. */
export class Relay {
  readonly #links = new Set<Link>();
  #port: number | null = null;

  private constructor(private readonly server: Server) {
    server.on('connection', (browser: Socket) => this.#join(browser));
  }

  static async open(): Promise<Relay> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server);
  }

  /** What browsers open in place of the gateway's address. */
  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Where connections lead from here on. */
  leadTo(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  /** From here on nothing comes through the connection that asked for this path last, and nobody is told. New ones work. */
  silence(path: string): void {
    for (const { browser, gateway, asked } of this.#links) {
      if (asked !== path) continue;
      browser.unpipe().pause();
      gateway.unpipe().pause();
    }
  }

  async close(): Promise<void> {
    for (const { browser } of this.#links) browser.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(browser: Socket): void {
    if (this.#port === null) {
      browser.destroy();
      return;
    }
    const link: Link = { browser, gateway: connect(this.#port, '127.0.0.1'), asked: null };
    this.#links.add(link);
    browser.on('data', (bytes: Buffer) => {
      link.asked = /^GET (\S+) HTTP/.exec(bytes.toString('latin1'))?.[1] ?? link.asked;
    });
    for (const [socket, other] of [[browser, link.gateway], [link.gateway, browser]] as const) {
      // A broken connection ends at both ends; that is all there is to say of it.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#links.delete(link);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
