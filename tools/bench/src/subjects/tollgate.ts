import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandLine, createAccount, createDatabase, gatewayProgram, hasCommand, READY } from '@tollgate/kit';
import { MeasuredProcess, type RunningSubject, type Subject, type SubjectId } from './subject.js';
import { BENCH_CREDIT, type Growth, prepareDatabase } from '../seed/grow-database.js';

const BENCH_PLAN = 'bench';

interface BenchModels {
  readonly upstreamPort: number;
  /** Models of the catalogue, each with the same name at the upstream. */
  readonly models: readonly string[];
}

function modelEntry(model: string): string {
  return `  ${model}:
    context_window: 4_000_000
    max_output_tokens: 4_096
    price: { prompt: 400, cached_prompt: 40, output: 1200 }
    targets: [{ upstream: bench, model: ${model} }]
`;
}

function benchCatalogue({ upstreamPort, models }: BenchModels): string {
  return `usd_per_service_token: 0.001
upstreams:
  bench:
    kind: openai
    base_url: http://127.0.0.1:${upstreamPort}/v1
    max_connections: none
models:
${models.map(modelEntry).join('')}plans:
  ${BENCH_PLAN}:
    name: Bench
    requests_per_minute: 100_000_000
    tokens_per_minute: 100_000_000_000
    concurrent_requests: 100_000
    max_context_tokens: 4_000_000
    active_keys: 1000
    tokens_per_day: 100_000_000_000
    tokens_per_month: 100_000_000_000
`;
}

const START_MILLISECONDS = 60_000;

interface GatewayOptions {
  readonly id: SubjectId;
  readonly title: string;
  /** Folder of the compiled checkout. */
  readonly root: string;
  readonly models: readonly string[];
  readonly upstreamPort: number;
  /** Folder for the gateway's catalogue and log. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  /** Keys that exist in the database; `null`: the checkout's command line creates one account. */
  readonly keys: readonly string[] | null;
}

/** Creates the database and an account by the checkout's own command line, because its schema may differ. */
async function createFirstAccount(commandLine: CommandLine): Promise<string> {
  if (await hasCommand(commandLine, 'database')) await createDatabase(commandLine);
  return createAccount(commandLine, { name: 'bench', plan: BENCH_PLAN, credit: BENCH_CREDIT });
}

/** Starts the gateway as `npm start` does, with a log file. Resolves once it listens. */
export async function startTollgate(options: GatewayOptions): Promise<RunningSubject> {
  const { id, title, root, models, upstreamPort, folder } = options;
  const catalogue = join(folder, 'catalog.yaml');
  writeFileSync(catalogue, benchCatalogue({ upstreamPort, models }));
  const environment = { ...options.environment, CATALOG_FILE: catalogue };
  const keys = options.keys ?? [await createFirstAccount({ root, environment })];
  const startedAt = performance.now();
  const program = gatewayProgram(root);
  const process = MeasuredProcess.start({
    name: id,
    argv: program.argv,
    folder,
    environment: { ...program.environment, PORT: '0', ...environment },
    logFile: join(folder, 'gateway.log'),
  });
  const [, port] = await process.printed(READY, START_MILLISECONDS);
  return {
    id, title, port: Number(port), path: '/v1/chat/completions', headers: {}, keys, process, readyMilliseconds: performance.now() - startedAt,
  };
}

interface TollgateOptions {
  readonly id: Extract<SubjectId, `tollgate${string}`>;
  readonly title: string;
  /** Folder of the compiled checkout. */
  readonly root: string;
  readonly models: readonly string[];
  /** What fills the database; `null` for a single account. */
  readonly grown: GrownSubject | null;
}

interface GrownSubject {
  readonly growth: Growth;
  /** Number of keys that requests use in turn, each of a different account. */
  readonly accounts: number;
  /** Where the database is kept; `null` to delete it. */
  readonly file: string | null;
}

/** A gateway with a database file of its own. */
export function tollgateEmbedded(options: TollgateOptions): Subject {
  const { grown, ...gateway } = options;
  return {
    id: options.id,
    title: options.title,
    start: async ({ folder, upstreamPort }) => {
      const own = join(folder, options.id);
      mkdirSync(own, { recursive: true });
      // The gateway runs in its own folder, so paths must be absolute.
      const file = resolve(grown?.file ?? join(own, 'tollgate.db'));
      const keys = grown === null ? null : await prepareDatabase({ file, growth: grown.growth }, grown.accounts);
      return startTollgate({ ...gateway, upstreamPort, folder: own, environment: { DATABASE_URL: `sqlite:${file}` }, keys });
    },
  };
}
