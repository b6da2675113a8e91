import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Both ends of a connection through the proxy. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Set once the request whose reply is to be lost has passed. */
  isDoomed: boolean;
}

/** A network between a client and a server on this machine, which can be broken. */
export interface NetworkProxy {
  readonly port: number;
  /** Breaks every connection there is, at both ends. New ones work. */
  cut(): void;
  /** Drops everything on old and new connections without closing them. */
  blackHole(): void;
  /** Ends `blackHole`; connections made before stay dead. */
  heal(): void;
  /**
   * Forwards the next request that contains the text, drops its whole reply and breaks the connection.
   * The server has executed the request, and the client cannot know it.
   */
  loseNextReplyTo(text: string): void;
  lostReplies(): number;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback address, in front of a socket file. */
export async function startNetworkProxy(socketPath: string): Promise<NetworkProxy> {
  const network = new BreakableNetwork(socketPath);
  return {
    port: await network.listen(),
    cut: () => network.cut(),
    blackHole: () => network.blackHole(),
    heal: () => network.heal(),
    loseNextReplyTo: (text) => network.doom(text),
    lostReplies: () => network.lost,
    stop: () => network.stop(),
  };
}

class BreakableNetwork {
  lost = 0;
  private readonly links = new Set<Link>();
  private readonly server: Server;
  private doomed: string | null = null;
  private isSwallowing = false;

  constructor(private readonly socketPath: string) {
    this.server = createServer((client) => this.join(client));
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const link of this.links) this.sever(link);
  }

  blackHole(): void {
    this.isSwallowing = true;
  }

  heal(): void {
    this.isSwallowing = false;
    this.cut();
  }

  doom(text: string): void {
    this.doomed = text;
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const link: Link = { client, server: connect(this.socketPath), isDoomed: false };
    this.links.add(link);
    for (const socket of [link.client, link.server]) {
      // A broken connection is what this proxy is for; its end follows.
      socket.on('error', () => undefined);
      socket.on('close', () => this.sever(link));
    }
    client.on('data', (chunk) => this.forward(link, chunk));
    link.server.on('data', (chunk) => this.answer(link, chunk));
  }

  private forward(link: Link, chunk: Buffer): void {
    if (this.isSwallowing) return;
    if (this.doomed !== null && chunk.includes(this.doomed)) {
      this.doomed = null;
      link.isDoomed = true;
    }
    link.server.write(chunk);
  }

  private answer(link: Link, chunk: Buffer): void {
    if (this.isSwallowing) return;
    if (!link.isDoomed) {
      link.client.write(chunk);
      return;
    }
    this.lost += 1;
    this.sever(link);
  }

  private sever(link: Link): void {
    if (!this.links.delete(link)) return;
    link.client.destroy();
    link.server.destroy();
  }
}
