import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createAccount, type StartedGateway, startGateway } from '@tollgate/kit';
import type { Customers } from './attacks.js';

const BYTES_PER_KIBIBYTE = 1024;

/** What the operating system says of a process. Linux only. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly descriptors: number;
}

/** Throws when the process has ended. */
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
  /** The root of the checkout whose compiled gateway is started. */
  readonly root: string;
  readonly folder: string;
  readonly upstreamPort: number;
  readonly descriptorLimit: number | null;
  /** Settings besides those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A gateway of the siege's own, on a database of its own, with two customers. */
export class Gateway {
  private constructor(private readonly started: StartedGateway, private readonly metricsUrl: string, readonly customers: Customers) {}

  get port(): number {
    return this.started.port;
  }

  static async start({ root, folder, upstreamPort, descriptorLimit, environment: own }: GatewayOptions): Promise<Gateway> {
    const environment = { METRICS_PORT: '0', UPSTREAM_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`, ...own };
    const started = await startGateway({ root, folder, environment, descriptorLimit });
    const metricsUrl = await loggedMetricsUrl(started.logFile);
    return new Gateway(started, metricsUrl, await createCustomers(started));
  }

  /** `null` when its process has ended. */
  figures(): ProcessFigures | null {
    return this.started.child.isRunning ? readProcessFigures(this.started.child.pid) : null;
  }

  /** The event loop's 99th percentile of delay since the last call; `null` when the gateway does not answer. */
  async loopDelayMilliseconds(): Promise<number | null> {
    const text = await answerOf(this.metricsUrl);
    const seconds = text === null ? undefined : LOOP_LAG.exec(text)?.[1];
    return seconds === undefined ? null : Number(seconds) * MILLISECONDS_PER_SECOND;
  }

  /** Whether a new connection reaches the health check. */
  async isReachable(): Promise<boolean> {
    return (await answerOf(`http://127.0.0.1:${this.port}/healthz`)) !== null;
  }

  stop(): Promise<void> {
    return this.started.child.stop();
  }
}

/** The log is written a moment after the gateway listens. */
async function loggedMetricsUrl(logFile: string): Promise<string> {
  for (let waited = 0; waited < ANSWER_MILLISECONDS; waited += LOG_MILLISECONDS) {
    const url = METRICS_ADDRESS.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url !== undefined) return url;
    await wait(LOG_MILLISECONDS);
  }
  throw new Error('the gateway did not log where its metrics are');
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
