import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MeasuredProcess } from '../processes/measured-process.js';
import { benchCatalogue } from './bench-catalogue.js';
import { allocatorSettings, nodeFlags } from './start-tollgate.js';
import type { RunningSubject } from './subject.js';

/** The environment variable that tells the program which gateways to run, as JSON. */
export const SEVERAL_GATEWAYS = 'BENCH_SEVERAL_GATEWAYS';

/** What the program is told. */
export interface SeveralGateways {
  /** The root of the checkout whose compiled gateway runs. */
  readonly root: string;
  /** Of each gateway, beside what all have in common. */
  readonly environments: readonly Readonly<Record<string, string>>[];
}

/** What it says once all of them listen, in the order of the environments. */
export interface SeveralListening {
  readonly ports: readonly number[];
}

/** One of the gateways: a database that is ready, and keys of accounts in it. */
export type GatewayOnDatabase = Pick<RunningSubject, 'id' | 'title' | 'keys'> & { readonly database: string };

export interface SeveralOptions {
  readonly root: string;
  readonly models: readonly string[];
  readonly upstreamPort: number;
  /** The process's own. */
  readonly folder: string;
}

const PROGRAM = fileURLToPath(new URL('several-gateways-main.js', import.meta.url));
const START_MILLISECONDS = 60_000;

function isListening(message: unknown): message is SeveralListening {
  return typeof message === 'object' && message !== null && 'ports' in message;
}

/**
 * Starts a gateway on each database, all in one process, so that they run the very same compiled code: two processes differ by some per cent.
 * What the process uses is to be measured while one of them alone has something to do.
 */
export async function startSeveralGateways(gateways: readonly GatewayOnDatabase[], { root, models, upstreamPort, folder }: SeveralOptions): Promise<readonly RunningSubject[]> {
  const catalogue = join(folder, 'catalog.yaml');
  writeFileSync(catalogue, benchCatalogue({ upstreamPort, models }));
  const told: SeveralGateways = { root, environments: gateways.map(({ database }) => ({ DATABASE_URL: `sqlite:${database}` })) };
  const startedAt = performance.now();
  const process = MeasuredProcess.start({
    name: 'several gateways',
    argv: [...nodeFlags(root), PROGRAM],
    folder,
    environment: { ...allocatorSettings(root), PORT: '0', CATALOG_FILE: catalogue, [SEVERAL_GATEWAYS]: JSON.stringify(told) },
    logFile: join(folder, 'gateways.log'),
  });
  const { ports } = await process.message(isListening, START_MILLISECONDS);
  const readyMilliseconds = performance.now() - startedAt;
  return gateways.map(({ id, title, keys }, position) => (
    { id, title, port: ports[position] ?? 0, path: '/v1/chat/completions', headers: {}, keys, process, readyMilliseconds }));
}
