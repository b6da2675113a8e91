import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const PROGRAM = fileURLToPath(new URL('../../../../apps/gateway/bundle/main.js', import.meta.url));
const LINK = /^Sign in once, within an hour: (\S+)$/m;
const START_MILLISECONDS = 60_000;

/** The compiled gateway in a process of its own, started as `npm start` does in an empty folder. */
export class StartedProgram {
  readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, readonly folder: string, /** What the gateway printed, up to the sign-in link. */ readonly printed: string) {
    child.stderr?.on('data', (chunk: Buffer) => void this.log.push(chunk.toString()));
  }

  /** Resolves when the gateway has printed the sign-in link. */
  static async start(): Promise<StartedProgram> {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-start-'));
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { LOG_LEVEL: 'trace', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, SECRET_FILE: join(folder, 'secret'), MAIL_FOLDER: join(folder, 'mail') },
    });
    try {
      return new StartedProgram(child, folder, await printedBy(child));
    } catch (thrown) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw thrown;
    }
  }

  get signInLink(): string {
    return LINK.exec(this.printed)?.[1] ?? '';
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves with the output up to the link. Later output is read and dropped, because a full pipe would block the gateway. */
function printedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`the gateway printed no sign-in link in time: ${printed}`)), START_MILLISECONDS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the gateway ended with code ${code}: ${printed}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000);
      if (!LINK.test(printed)) return;
      clearTimeout(timer);
      resolve(printed);
    });
  });
}

interface Link {
  readonly browser: Socket;
  readonly gateway: Socket;
  /** Path that the connection's last request asked for; `null` before the first. */
  asked: string | null;
}

/** A TCP relay that can stop forwarding without either end noticing. */
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

  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  leadTo(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  /** Passes on no further data of connections whose last request was for this path, without closing them. New connections work. */
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
      // Sockets are expected to break, so their errors are ignored.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#links.delete(link);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
