import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createAccount, type StartedGateway, startGateway } from '@tollgate/kit';
import { type Customers, Target } from './target.js';

const BYTES_PER_KIBIBYTE = 1024;

/** Figures of a process, read from `/proc`, which only Linux has. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly descriptors: number;
}

/** Reads the figures of a process. Throws if it has ended. */
function readProcessFigures(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} has ended`);
  return { residentBytes: Number(kibibytes) * BYTES_PER_KIBIBYTE, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

const METRICS_ADDRESS = /"url":"(http:\/\/[^"]+\/metrics)"/;
const LOOP_LAG = /^tollgate_event_loop_lag_p99_seconds (\S+)$/m;
const ANSWER_MILLISECONDS = 5000;
const LOG_MILLISECONDS = 100;
const MILLISECONDS_PER_SECOND = 1000;

interface GatewayOptions {
  /** Folder of the compiled checkout. */
  readonly root: string;
  readonly folder: string;
  readonly upstreamPort: number;
  readonly descriptorLimit: number | null;
  /** Environment variables in addition to those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  /** The servers that two gateways share; `null` for one gateway on SQLite. */
  readonly shared: SharedServers | null;
}

export interface SharedServers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** Gateways with two customers. Figures are those of the first gateway. */
export class Installation {
  private constructor(private readonly gateways: readonly StartedGateway[], private readonly metricsUrl: string, readonly target: Target) {}

  static async start({ root, folder, upstreamPort, descriptorLimit, environment: own, shared }: GatewayOptions): Promise<Installation> {
    const mailFolder = join(folder, 'mail');
    const environment = { METRICS_PORT: '0', UPSTREAM_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`, MAIL_FOLDER: mailFolder, ...own };
    const start = (name: string, further: Readonly<Record<string, string>>, databaseUrl?: string): Promise<StartedGateway> => startGateway({
      root, folder: join(folder, name), environment: { ...environment, ...further }, descriptorLimit, ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });
    const gateways: StartedGateway[] = [];
    if (shared === null) gateways.push(await start('gateway', {}));
    else for (const name of ['first', 'second']) {
      // Browsers reach both gateways at the address of the first one, as they would behind a load balancer.
      const hosts = gateways.map(({ port }) => `localhost:${port}`).join(',');
      gateways.push(await start(name, { REDIS_URL: shared.redisUrl, SECRET, ...(hosts === '' ? {} : { DASHBOARD_HOSTS: hosts }) }, shared.databaseUrl));
    }
    const [first] = gateways;
    if (first === undefined) throw new Error('no gateway was started');
    const metricsUrl = await loggedMetricsUrl(first.logFile);
    const target = new Target({ ports: gateways.map(({ port }) => port), customers: await createCustomers(first), commandLine: first.commandLine, mailFolder });
    return new Installation(gateways, metricsUrl, target);
  }

  get #first(): StartedGateway | undefined {
    return this.gateways[0];
  }

  /** Figures of the first gateway; `null` if its process has ended. */
  figures(): ProcessFigures | null {
    return this.#first?.child.isRunning === true ? readProcessFigures(this.#first.child.pid) : null;
  }

  /** p99 of the event loop delay since the previous call; `null` if the gateway does not answer. */
  async loopDelayMilliseconds(): Promise<number | null> {
    const text = await answerOf(this.metricsUrl);
    const seconds = text === null ? undefined : LOOP_LAG.exec(text)?.[1];
    return seconds === undefined ? null : Number(seconds) * MILLISECONDS_PER_SECOND;
  }

  /** True if the health check answers on a new connection. */
  async isReachable(): Promise<boolean> {
    return (await answerOf(`http://127.0.0.1:${this.target.port}/healthz`)) !== null;
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map(({ child }) => child.stop()));
  }
}

/** Value of the setting `SECRET`, without which there is no dashboard on PostgreSQL. */
const SECRET = '5e'.repeat(32);

/** Waits for the address of the metrics, which is logged shortly after the gateway listens. */
async function loggedMetricsUrl(logFile: string): Promise<string> {
  for (let waited = 0; waited < ANSWER_MILLISECONDS; waited += LOG_MILLISECONDS) {
    const url = METRICS_ADDRESS.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url !== undefined) return url;
    await wait(LOG_MILLISECONDS);
  }
  throw new Error('the gateway did not log the address of its metrics');
}

async function answerOf(url: string): Promise<string | null> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS), headers: { connection: 'close' } });
    return reply.ok ? await reply.text() : null;
  } catch {
    return null;
  }
}

async function createCustomers({ commandLine }: StartedGateway): Promise<Customers> {
  const credit = '1000000';
  return {
    attackerKey: await createAccount(commandLine, { name: 'attacker', plan: 'pay-as-you-go', credit }),
    victimKey: await createAccount(commandLine, { name: 'victim', plan: 'business', credit }),
  };
}
