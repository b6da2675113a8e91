import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Customers } from '../attacks/attack.js';
import { Child } from './child.js';
import { type ProcessFigures, readProcessFigures } from './process-figures.js';

const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;
const METRICS_ADDRESS = /"url":"(http:\/\/[^"]+\/metrics)"/;
const LOOP_LAG = /^tollgate_event_loop_lag_p99_seconds (\S+)$/m;
const ANSWER_MILLISECONDS = 5000;
const LOG_MILLISECONDS = 100;
const MILLISECONDS_PER_SECOND = 1000;

export interface GatewayOptions {
  /** The root of the checkout whose compiled gateway is started. */
  readonly root: string;
  readonly folder: string;
  readonly upstreamPort: number;
  readonly descriptorLimit: number | null;
}

/** A gateway of the siege's own, on a database of its own, with two customers. */
export class Gateway {
  readonly port: number;
  readonly customers: Customers;

  private constructor(private readonly child: Child, private readonly metricsUrl: string, { port, customers }: { readonly port: number; readonly customers: Customers }) {
    this.port = port;
    this.customers = customers;
  }

  static async start(options: GatewayOptions): Promise<Gateway> {
    mkdirSync(options.folder, { recursive: true });
    const logFile = join(options.folder, 'gateway.log');
    const child = Child.start({ ...commandOf(options), name: 'the gateway', folder: options.folder, environment: environmentOf(options), logFile });
    const [, port] = await child.printed(READY);
    return new Gateway(child, await loggedMetricsUrl(logFile), { port: Number(port), customers: await createCustomers(options) });
  }

  /** `null` when its process has ended. */
  figures(): ProcessFigures | null {
    return this.child.isRunning ? readProcessFigures(this.child.pid) : null;
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
    return this.child.stop();
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

/** Runs the program as `npm start` does, under a limit of descriptors where one is set. */
function commandOf({ root, descriptorLimit }: GatewayOptions): { readonly command: string; readonly argv: readonly string[] } {
  const manifest = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')) as { readonly config?: { readonly nodeFlags?: readonly string[] } };
  const program = [process.execPath, ...manifest.config?.nodeFlags ?? [], join(root, 'apps/gateway/dist/main.js')];
  const limited = descriptorLimit === null ? '' : `ulimit -n ${descriptorLimit}; `;
  return { command: 'sh', argv: ['-c', `${limited}exec "$@"`, 'sh', ...program] };
}

function environmentOf({ folder, upstreamPort }: GatewayOptions): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', DATABASE_URL: databaseIn(folder), UPSTREAM_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
  };
}

function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'data', 'tollgate.db')}`;
}

async function createCustomers(options: GatewayOptions): Promise<Customers> {
  return { attackerKey: await createCustomer(options, 'attacker', 'pay-as-you-go'), victimKey: await createCustomer(options, 'victim', 'business') };
}

/** Makes an account with the checkout's own command line and resolves with its key. */
async function createCustomer({ root, folder }: GatewayOptions, name: string, plan: string): Promise<string> {
  const argv = [join(root, 'apps/cli/dist/main.js'), 'accounts', 'create', '--email', `${name}@siege.test`, '--name', name, '--plan', plan, '--credit', '1000000', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: folder, env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseIn(folder) } });
  return (JSON.parse(stdout) as { readonly key: { readonly secret: string } }).key.secret;
}
