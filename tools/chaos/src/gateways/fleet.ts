import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child, READY, ROOT } from '@tollgate/kit';
import type { Death, GatewayNews, GatewayOrder } from './kill-points.js';
import { CHAOS_SLOTS } from '../catalogue/chaos-catalogue.js';
import type { SlotCount } from '../checks/slots.js';

/** What the compiler wrote, and not the bundle: kill points are placed in the classes of the packages. */
const PROGRAM = join(ROOT, 'apps/gateway/dist/main.js');
const IN_GATEWAY = fileURLToPath(new URL('./in-gateway.js', import.meta.url));
const START_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 20_000;
const REPORT_MILLISECONDS = 2000;

export interface GatewayLaunch {
  readonly folder: string;
  /** File that receives standard error, which is the gateway's log. */
  readonly logFile: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class GatewayProcess {
  /** Resolves when the process has ended, with the signal that ended it; `null` if it exited. */
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

  /** Starts a gateway without waiting until it is ready. */
  static spawn({ folder, logFile, environment }: GatewayLaunch): GatewayProcess {
    return new GatewayProcess(Child.start({
      name: 'a gateway', command: process.execPath, argv: ['--import', IN_GATEWAY, PROGRAM], folder, logFile,
      environment: { NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', UNBILLED_PER_MINUTE_ACCOUNT: '0', ...environment },
    }), logFile);
  }

  /** Resolves when the gateway is ready. Rejects if its process ends first, or after a timeout. */
  async ready(): Promise<void> {
    const [, port] = await this.child.printed(READY, START_MILLISECONDS);
    this.#port = Number(port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** URL of the metrics; `null` until shortly after the gateway is ready. */
  get metricsUrl(): string | null {
    const port = this.#ports.find((candidate) => candidate !== this.#port);
    return port === undefined ? null : `http://127.0.0.1:${port}/metrics`;
  }

  /** The id under which the ledger knows the process. */
  get processId(): string {
    return this.#processId;
  }

  /** When the process ended, as `performance.now()`; `null` while it runs. */
  get diedAt(): number | null {
    return this.#diedAt;
  }

  /** True if the end of the process was requested, by a kill or a stop. */
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

  /** Sends SIGTERM. After a timeout, records what the process waits for, and sends SIGKILL. Returns true if the process stopped by itself. */
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

/** The gateways of a world. Each seat has one gateway at a time. */
export class Fleet {
  readonly #seats: (GatewayProcess | null)[];

  /** `onLostGateway` is called for each gateway that ends unexpectedly. The constructor starts no gateway. */
  constructor(private readonly launches: readonly GatewayLaunch[], private readonly onLostGateway: (signal: string) => void) {
    this.#seats = launches.map(() => null);
  }

  get serving(): readonly GatewayProcess[] {
    return this.#seats.filter((gateway) => gateway !== null && gateway.diedAt === null) as readonly GatewayProcess[];
  }

  /** Resolves once all gateways serve. */
  async start(): Promise<void> {
    await Promise.all(this.launches.map((_launch, seat) => this.startOn(seat)));
  }

  at(seat: number): GatewayProcess {
    const gateway = this.#seats[seat];
    if (gateway === null || gateway === undefined) throw new Error(`no gateway runs on seat ${seat}`);
    return gateway;
  }

  /** Starts a gateway on a seat; resolves when the gateway serves. */
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

  /** Stops all gateways; returns how many of them did not stop by themselves. */
  async stop(): Promise<number> {
    const stopped = await Promise.all(this.serving.map((gateway) => gateway.stop()));
    return stopped.filter((well) => !well).length;
  }
}

const TIMEOUT_MILLISECONDS = 5000;

function figure(text: string, metric: string): number {
  const value = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`a gateway does not export ${metric}`);
  return Number(value);
}

/** Slots according to a gateway's metrics; empty if the gateway has just started or dies meanwhile. Throws if it does not answer. */
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
