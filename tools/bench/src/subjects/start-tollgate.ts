import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeasuredProcess } from '../processes/measured-process.js';
import { benchCatalogue } from './bench-catalogue.js';
import type { RunningSubject, SubjectId } from './subject.js';

const START_MILLISECONDS = 60_000;
const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;

export interface GatewayOptions {
  readonly id: SubjectId;
  readonly title: string;
  /** The root of the checkout whose compiled gateway is measured. */
  readonly root: string;
  readonly models: readonly string[];
  readonly upstreamPort: number;
  /** The process's own, for its catalogue and its log. */
  readonly folder: string;
  /** Where what it shares or keeps is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of accounts that are in its database. */
  readonly keys: readonly string[];
}

interface GatewayConfig {
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function configOf(root: string): GatewayConfig {
  const manifest = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')) as { readonly config?: GatewayConfig };
  return manifest.config ?? {};
}

/** What `npm start` gives to Node beside the program; another checkout has its own. */
export function nodeFlags(root: string): readonly string[] {
  return configOf(root).nodeFlags ?? [];
}

/** What `npm start` sets for the C library's allocator; another checkout has its own. */
export function allocatorSettings(root: string): Readonly<Record<string, string>> {
  return configOf(root).environment ?? {};
}

/** Starts the gateway as `npm start` runs it, with everything on and its log written to a file. Resolves once it listens. */
export async function startTollgate(options: GatewayOptions): Promise<RunningSubject> {
  const { id, title, root, models, upstreamPort, folder, environment, keys } = options;
  const catalogue = join(folder, 'catalog.yaml');
  writeFileSync(catalogue, benchCatalogue({ upstreamPort, models }));
  const startedAt = performance.now();
  const process = MeasuredProcess.start({
    name: id,
    argv: [...nodeFlags(root), join(root, 'apps/gateway/dist/main.js')],
    folder,
    environment: { ...allocatorSettings(root), PORT: '0', CATALOG_FILE: catalogue, ...environment },
    logFile: join(folder, 'gateway.log'),
  });
  const [, port] = await process.printed(READY, START_MILLISECONDS);
  return {
    id, title, port: Number(port), path: '/v1/chat/completions', headers: {}, keys, process, readyMilliseconds: performance.now() - startedAt,
  };
}
