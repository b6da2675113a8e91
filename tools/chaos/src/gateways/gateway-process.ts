import { fileURLToPath } from 'node:url';
import { Child, READY } from '@tollgate/kit';
import type { Death, GatewayNews, GatewayOrder } from './kill-points.js';

const IN_GATEWAY = fileURLToPath(new URL('./in-gateway.js', import.meta.url));
const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 20_000;
const REPORT_MILLISECONDS = 2000;

export interface GatewayPlace {
  /** The compiled gateway's program. */
  readonly program: string;
  readonly folder: string;
  /** Takes what gateways write to standard error: their log. */
  readonly logFile: string;
  /** Where its database and catalogue are. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A real gateway in a process of its own. */
export class GatewayProcess {
  /** Resolves with the signal that ended it, `null` when it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly startedAt = performance.now();
  readonly #ports: number[] = [];
  #diedAt: number | null = null;
  #isDoomed = false;
  #port = 0;
  #processId = '';

  private constructor(private readonly child: Child, private readonly logFile: string) {
    child.onMessage((message) => this.note(message as GatewayNews));
    this.ended = child.ended.then((signal) => {
      this.#diedAt = performance.now();
      return signal;
    });
  }

  /** Starts one without waiting for it. */
  static spawn({ program, folder, logFile, environment }: GatewayPlace): GatewayProcess {
    return new GatewayProcess(Child.start({
      name: 'a gateway', command: process.execPath, argv: ['--import', IN_GATEWAY, program], folder, logFile,
      environment: { NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', UNBILLED_PER_MINUTE_KEY: '0', ...environment },
    }), logFile);
  }

  /** Resolves once it serves; rejects if it ends or takes too long. */
  async ready(): Promise<void> {
    const [, port] = await this.child.printed(READY, START_MILLISECONDS);
    this.#port = Number(port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Where it tells its metrics; known a moment after it is ready. */
  get metricsUrl(): string | null {
    const port = this.#ports.find((candidate) => candidate !== this.#port);
    return port === undefined ? null : `http://127.0.0.1:${port}/metrics`;
  }

  /** What it calls itself in the books. */
  get processId(): string {
    return this.#processId;
  }

  /** On the clock that `performance.now` reads; `null` while it lives. */
  get diedAt(): number | null {
    return this.#diedAt;
  }

  /** Whether its end was asked for. */
  get isDoomed(): boolean {
    return this.#isDoomed;
  }

  dieAt(death: Death): void {
    this.#isDoomed = true;
    this.order({ order: 'die', death });
  }

  kill(): void {
    this.#isDoomed = true;
    this.child.kill();
  }

  /** Asks it to stop, and makes it stop when it does not, once it has written down what it waits for. Says whether it stopped as it should. */
  async stop(): Promise<boolean> {
    this.#isDoomed = true;
    this.child.kill('SIGTERM');
    const reporting = setTimeout(() => this.order({ order: 'report', file: `${this.logFile}.report.json` }), STOP_MILLISECONDS);
    const killing = setTimeout(() => this.kill(), STOP_MILLISECONDS + REPORT_MILLISECONDS);
    const signal = await this.ended;
    clearTimeout(reporting);
    clearTimeout(killing);
    return signal === null && this.child.exitCode === 0;
  }

  private order(order: GatewayOrder): void {
    this.child.send(order);
  }

  private note(message: GatewayNews): void {
    if (message.news === 'process') this.#processId = message.processId;
    else this.#ports.push(message.port);
  }
}
