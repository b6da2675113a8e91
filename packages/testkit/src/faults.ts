import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * When a call fails. `before`: without an effect. `after`: after its whole effect, as if the answer were lost. `hang`: only on `release`, without an
 * effect. `late`: immediately, but its effect follows a little later.
 */
export type FaultKind = 'before' | 'after' | 'hang' | 'late';

export const FAULT_KINDS: readonly FaultKind[] = ['before', 'after', 'hang', 'late'];

class PlannedFault extends Error {
  override readonly name = 'PlannedFault';
}

type AsyncMethod = (...given: readonly unknown[]) => Promise<unknown>;

/** Makes one call fail: the n-th, from 1, of all calls to watched methods. */
export class FaultPlan {
  #failingCall: number;
  #kind: FaultKind;
  #calls = 0;
  #underWay = 0;
  #release: (() => void) | null = null;
  /** The call that failed, as `port.method`, or `null` if no call has failed yet. */
  struck: string | null = null;

  constructor(failingCall: number, kind: FaultKind) {
    this.#failingCall = failingCall;
    this.#kind = kind;
  }

  get isHanging(): boolean {
    return this.#release !== null;
  }

  /** True if no call is in progress except one that hangs. */
  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  /** Starts to count again: the n-th call from now on fails. */
  arm(failingCall: number, kind: FaultKind): void {
    this.#failingCall = failingCall;
    this.#kind = kind;
    this.#calls = 0;
    this.struck = null;
  }

  /** Lets all later calls succeed. `struck` keeps its value. */
  disarm(): void {
    this.#failingCall = Infinity;
  }

  /** Makes the hanging call fail. */
  release(): void {
    this.#release?.();
    this.#release = null;
  }

  /** Wraps a port. Counts the calls of these methods, which must return promises, and makes one of them fail. */
  watch<Port extends object>(name: string, port: Port, methods: readonly (keyof Port & string)[]): Port {
    const watched: ReadonlySet<string | symbol> = new Set(methods);
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as AsyncMethod;
        return watched.has(property) ? (...given: readonly unknown[]) => this.#call(`${name}.${String(property)}`, () => method(...given)) : method;
      },
    });
  }

  async #call(method: string, run: () => Promise<unknown>): Promise<unknown> {
    this.#calls += 1;
    if (this.#calls !== this.#failingCall) return this.#counted(run);
    this.struck = method;
    await this.#whatTakesEffect(run);
    throw new PlannedFault(`${method} failed as planned: ${this.#kind}`);
  }

  async #whatTakesEffect(run: () => Promise<unknown>): Promise<void> {
    switch (this.#kind) {
      case 'before': return;
      case 'after':
        await this.#counted(run);
        return;
      case 'hang':
        return new Promise((resolve) => {
          this.#release = resolve;
        });
      case 'late':
        void this.#counted(() => afterwards(run));
        return;
    }
  }

  async #counted(run: () => Promise<unknown>): Promise<unknown> {
    this.#underWay += 1;
    try {
      return await run();
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Runs the call after the caller has received the failure. Its result is ignored. */
function afterwards(run: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    setImmediate(() => void Promise.allSettled([run()]).then(resolve));
  });
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** True once the request whose reply will be dropped was forwarded. */
  isDoomed: boolean;
}

/** A proxy between a client and a server on this machine. Tests break the network with it. */
export interface NetworkProxy {
  readonly port: number;
  /** Closes every connection at both ends. New connections work. */
  cut(): void;
  /** Drops all data on existing and new connections, without closing them. */
  blackHole(): void;
  /** Ends `blackHole`. Connections from before remain broken. */
  heal(): void;
  /**
   * Forwards the next request that contains the text, drops the whole reply to it, and closes the connection. The server has then executed the
   * request, which the client cannot know.
   */
  loseNextReplyTo(text: string): void;
  lostReplies(): number;
  stop(): Promise<void>;
}

/** Listens on a free loopback port, and forwards connections to a Unix socket. */
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
      // The proxy itself breaks connections. `close` follows the error.
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
