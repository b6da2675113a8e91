import { fileURLToPath } from 'node:url';
import { Child, READY } from '@tollgate/kit';
import type { Death, GatewayNews, GatewayOrder } from './kill-points.js';
import { CHAOS_SLOTS } from '../catalogue/chaos-catalogue.js';
import type { SlotCount } from '../checks/slots.js';

const IN_GATEWAY = fileURLToPath(new URL('./in-gateway.js', import.meta.url));
const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 20_000;
const REPORT_MILLISECONDS = 2000;

export interface GatewayLaunch {
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
  static spawn({ program, folder, logFile, environment }: GatewayLaunch): GatewayProcess {
    return new GatewayProcess(Child.start({
      name: 'a gateway', command: process.execPath, argv: ['--import', IN_GATEWAY, program], folder, logFile,
      environment: { NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', WARM_UP: 'off', UNBILLED_PER_MINUTE_ACCOUNT: '0', ...environment },
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

/** The gateways of a world, each on a seat of its own, which the next one takes when one has died. */
export class Fleet {
  readonly #seats: (GatewayProcess | null)[];

  /** No gateway has started yet. `onLostGateway` receives each that ends unexpectedly. */
  constructor(private readonly launches: readonly GatewayLaunch[], private readonly onLostGateway: (signal: string) => void) {
    this.#seats = launches.map(() => null);
  }

  /** Gateways that serve at the moment. */
  get serving(): readonly GatewayProcess[] {
    return this.#seats.filter((gateway) => gateway !== null && gateway.diedAt === null) as readonly GatewayProcess[];
  }

  /** Resolves once every seat has a gateway that serves. */
  async start(): Promise<void> {
    await Promise.all(this.launches.map((_launch, seat) => this.startOn(seat)));
  }

  at(seat: number): GatewayProcess {
    const gateway = this.#seats[seat];
    if (gateway === null || gateway === undefined) throw new Error(`no gateway runs on seat ${seat}`);
    return gateway;
  }

  /** Starts the next gateway of a seat; resolves once it serves. */
  async startOn(seat: number): Promise<GatewayProcess> {
    const launch = this.launches[seat];
    if (launch === undefined) throw new Error(`there is no seat ${seat}`);
    const gateway = GatewayProcess.spawn(launch);
    this.#seats[seat] = null;
    await gateway.ready();
    this.#seats[seat] = gateway;
    void gateway.ended.then((signal) => {
      if (!gateway.isDoomed) this.onLostGateway(signal ?? 'a code');
    });
    return gateway;
  }

  /** Asks all to stop; says how many did not stop as they should. */
  async stop(): Promise<number> {
    const stopped = await Promise.all(this.serving.map((gateway) => gateway.stop()));
    return stopped.filter((well) => !well).length;
  }
}

const TIMEOUT_MILLISECONDS = 5000;

function figure(text: string, metric: string): number {
  const value = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`a gateway does not tell ${metric}`);
  return Number(value);
}

/** What a gateway says that its requests hold; nothing when it has only just begun, or dies before it has answered. Throws when it does not say. */
export async function slotsOf(gateway: GatewayProcess, accounts: number): Promise<readonly SlotCount[]> {
  const { metricsUrl, processId } = gateway;
  if (metricsUrl === null) return [];
  let text: string;
  try {
    text = await (await fetch(metricsUrl, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })).text();
  } catch (thrown) {
    if (gateway.isDoomed) return [];
    throw thrown;
  }
  const holder = `gateway ${processId}`;
  return [
    { holder, what: 'slots', held: figure(text, 'tollgate_slots_held'), limit: CHAOS_SLOTS * accounts },
    { holder, what: 'requests', held: figure(text, 'tollgate_requests_running'), limit: Infinity },
  ];
}
