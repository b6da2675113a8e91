import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child, gatewayProgram, READY } from '@tollgate/kit';

const PRELOAD = fileURLToPath(new URL('in-faulty-gateway.js', import.meta.url));
const START_MILLISECONDS = 60_000;

interface GatewayPlace {
  /** Folder of the compiled checkout. */
  readonly root: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

function logFileOf(name: string, { folder }: GatewayPlace): string {
  return join(folder, `${name}.log`);
}

/** A gateway of this checkout or an earlier one, without kill points. */
export class FaultyGateway {
  readonly #ports: number[] = [];

  private constructor(private readonly child: Child, private readonly name: string, private readonly place: GatewayPlace) {
    child.onMessage((message) => void this.#ports.push((message as { readonly port: number }).port));
  }

  static async start(name: string, place: GatewayPlace): Promise<FaultyGateway> {
    const { root, folder, environment } = place;
    const program = gatewayProgram(root);
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const gateway = new FaultyGateway(Child.start({
      name, command: process.execPath, argv: ['--import', PRELOAD, ...program.argv], folder: own, logFile: logFileOf(name, place),
      environment: { ...program.environment, NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info', UNBILLED_PER_MINUTE_KEY: '0', ...environment },
    }), name, place);
    await gateway.child.printed(READY, START_MILLISECONDS).then(([, port]) => gateway.#ports.unshift(Number(port)));
    return gateway;
  }

  get isRunning(): boolean {
    return this.child.isRunning;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports[0] ?? 0}`;
  }

  get log(): string {
    return readFileSync(logFileOf(this.name, this.place), 'utf8');
  }

  /** Value of a metric without labels; `null` if the gateway has no such metric, as in earlier releases. */
  async metric(name: string): Promise<number | null> {
    const port = this.#ports.find((candidate) => candidate !== this.#ports[0]) ?? 0;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
    return value === undefined ? null : Number(value);
  }

  /** Stops the process by SIGSTOP; its connections stay open. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  /** Kills the process by SIGKILL, and starts another one at the same address. */
  async killAndReplace(): Promise<FaultyGateway> {
    const port = String(this.#ports[0] ?? 0);
    this.child.kill();
    await this.child.ended;
    return FaultyGateway.start(this.name, { ...this.place, environment: { ...this.place.environment, PORT: port } });
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.child.stop();
  }
}
