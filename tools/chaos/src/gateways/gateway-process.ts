import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Death, GatewayNews, GatewayOrder } from './kill-points.js';

/** Everything that was started and has not ended. */
const running = new Set<ChildProcess>();

/** Takes note of a process, so that it does not outlive the run. */
export function track(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends every process of the run at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

const IN_GATEWAY = fileURLToPath(new URL('./in-gateway.js', import.meta.url));
const READY = /Tollgate listening on (http:\/\/127\.0\.0\.1:(\d+))/;
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
  #printed = '';
  #url = '';
  #port = 0;
  #processId = '';

  private constructor(private readonly child: ChildProcess, private readonly logFile: string) {
    
    track(child);
    child.on('message', (message) => this.note(message as GatewayNews));
    this.ended = once(child, 'exit').then(([, signal]) => {
      this.#diedAt = performance.now();
      return signal as NodeJS.Signals | null;
    });
  }

  /** Starts one without waiting for it. */
  static spawn({ program, folder, logFile, environment }: GatewayPlace): GatewayProcess {
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, ['--import', IN_GATEWAY, program], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', UNBILLED_PER_MINUTE_KEY: '0', ...environment },
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    return new GatewayProcess(child, logFile);
  }

  /** Resolves once it serves; rejects when it ends or takes too long. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('a gateway did not start in time')), START_MILLISECONDS);
      this.child.stdout?.on('data', (chunk: Buffer) => {
        this.#printed += chunk.toString();
        const [, url, port] = READY.exec(this.#printed) ?? [];
        if (url === undefined) return;
        clearTimeout(timer);
        [this.#url, this.#port] = [url, Number(port)];
        resolve();
      });
      void this.ended.then(() => {
        clearTimeout(timer);
        reject(new Error('a gateway ended at its start'));
      });
    });
  }

  get url(): string {
    return this.#url;
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
    this.child.kill('SIGKILL');
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
