import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisServer, startPostgresServer, startRedisServer } from '@tollgate/testkit/programs';
import type { Growth } from '../seed/grow-database.js';
import type { RunningSubject, SubjectId, BenchContext } from '../subjects/subject.js';
import { smallBody } from '../load/requests.js';
import { startTollgate, tollgateEmbedded } from '../subjects/tollgate.js';
import { WHOLE_MODEL } from '../upstream/replies.js';
import { type Bench, type Scenario, SMALL_WARM_UP } from './scenario.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-requests.js';

interface GrownDatabase {
  readonly id: Extract<SubjectId, `tollgate${string}`>;
  readonly title: string;
  readonly growth: Growth;
}

/** Number of accounts that send requests; they are spread over the whole database. */
const ACTIVE_ACCOUNTS = 500;

/** The baseline: a database with only the accounts and keys that the load uses. */
const EMPTY_DATABASE = {
  id: 'tollgate', title: 'empty database', growth: { accounts: ACTIVE_ACCOUNTS, keys: ACTIVE_ACCOUNTS, usageRows: 0 },
} as const satisfies GrownDatabase;

export function counted(count: number, things: string): string {
  return `${count.toLocaleString('en-US')} ${things}`;
}

/** Assumed speed of filling, for the progress display. */
const ROWS_SEEDED_PER_SECOND = 60_000;

function seedingSeconds(databases: readonly GrownDatabase[]): number {
  return databases.reduce((sum, { growth: { accounts, keys, usageRows } }) => sum + accounts + keys + usageRows, 0) / ROWS_SEEDED_PER_SECOND;
}

/** Assumed duration of a start, for the progress display. */
const GROWTH_START_SECONDS = 2;

interface GrowthOptions {
  readonly context: BenchContext;
  readonly root: string;
  readonly accounts: number;
  readonly databaseFile: string | null;
}

const GROWTH_TITLE = 'Cost of a database that has seen much';

const GROWTH_OPTIONS: WholeOptions = {
  id: 'growth', title: GROWTH_TITLE, body: smallBody(), connections: 32, seconds: 1, warmUp: SMALL_WARM_UP, subjects: ['tollgate', 'tollgate-full'],
};

function fullDatabase(accounts: number): GrownDatabase {
  const growth: Growth = { accounts, keys: 2 * accounts, usageRows: 10 * accounts };
  const title = `${counted(accounts, 'accounts')}, ${counted(growth.keys, 'keys')}, ${counted(growth.usageRows, 'usage rows')}`;
  return { id: 'tollgate-full', title, growth };
}

async function startBoth(bench: Bench, databases: readonly GrownDatabase[], { context, root, databaseFile }: GrowthOptions): Promise<readonly RunningSubject[]> {
  const subjects: RunningSubject[] = [];
  for (const database of databases) {
    bench.say(`growth, filling and starting: ${database.title}`);
    const { id, title, growth } = database;
    const file = id === 'tollgate-full' ? databaseFile : null;
    const gateway = tollgateEmbedded({ id, title, root, models: [WHOLE_MODEL], grown: { growth, accounts: ACTIVE_ACCOUNTS, file } });
    subjects.push(await gateway.start({ ...context, folder: `${context.folder}/growth` }));
  }
  return subjects;
}

/** Measures what a request costs on a large database, compared with an empty one. */
export function growthScenario(options: GrowthOptions): Scenario {
  const databases = [EMPTY_DATABASE, fullDatabase(options.accounts)];
  return {
    id: 'growth',
    title: GROWTH_TITLE,
    expectedSeconds: (pace) => seedingSeconds(databases) + databases.length * GROWTH_START_SECONDS + expectedOfWhole({ ...pace, subjects: databases }, GROWTH_OPTIONS),
    run: async (bench) => {
      const subjects = await startBoth(bench, databases, options);
      const result = await measureWhole({ ...bench, subjects }, GROWTH_OPTIONS);
      for (const { process } of subjects) await process.stop();
      return [{ ...result, baseline: 'tollgate' }];
    },
  };
}

/** PostgreSQL with fsync, and Redis, both started for this run. */
interface SharedServers {
  readonly environment: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  stop(): Promise<void>;
}

/** `missing`: Redis is not on this machine, and npm has no package of it. */
type ServersStart =
  | { readonly outcome: 'started'; readonly servers: SharedServers }
  | { readonly outcome: 'missing'; readonly reason: string };

async function startSharedServers(): Promise<ServersStart> {
  const redis = await startRedisServer().catch((thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
  if (typeof redis === 'string') return { outcome: 'missing', reason: redis };
  return { outcome: 'started', servers: await startPostgresBeside(redis) };
}

async function startPostgresBeside(redis: RedisServer): Promise<SharedServers> {
  try {
    const postgres = await startPostgresServer({ disk: 'durable' });
    return {
      environment: { DATABASE_URL: postgres.url(), REDIS_URL: redis.path },
      stop: async () => {
        await postgres.stop();
        await redis.stop();
      },
    };
  } catch (thrown) {
    await redis.stop();
    throw thrown;
  }
}

interface SharedOptions {
  readonly context: BenchContext;
  readonly root: string;
  readonly compareWith: string | null;
}

interface SharedGateway {
  readonly id: Extract<SubjectId, 'shared' | 'shared-compared'>;
  readonly title: string;
  readonly root: string;
}

const SHARED_TITLE = 'Small whole request over PostgreSQL and Redis, one account';

/** Assumed duration of a start, for the progress display. */
const SHARED_START_SECONDS = 3;

/** Starts a gateway with one account, so that all requests update the same row. */
async function startGateway(gateway: SharedGateway, { environment }: SharedServers, { folder, upstreamPort }: BenchContext): Promise<RunningSubject> {
  const own = join(folder, gateway.id);
  mkdirSync(own, { recursive: true });
  return startTollgate({ ...gateway, models: [WHOLE_MODEL], upstreamPort, folder: own, environment, keys: null });
}

function besides<Subject extends { readonly id: SubjectId }>(subjects: readonly Subject[], gateways: readonly Subject[]): readonly Subject[] {
  return [...subjects.filter(({ id }) => id === 'express'), ...gateways];
}

/** The warm-up is longer, because these gateways serve fewer requests per second. */
const SHARED_OPTIONS: WholeOptions = {
  id: 'shared', title: SHARED_TITLE, body: smallBody(), connections: 32, seconds: 1, warmUp: { ...SMALL_WARM_UP, gatewaySeconds: 15 },
  subjects: ['express', 'shared', 'shared-compared'],
};

/** Starts the gateway; returns an empty list for a compared checkout that does not start on PostgreSQL and Redis, as an old one. */
async function startUnlessOlder(gateway: SharedGateway, servers: SharedServers, { bench, context }: { readonly bench: Bench; readonly context: BenchContext }): Promise<readonly RunningSubject[]> {
  try {
    return [await startGateway(gateway, servers, context)];
  } catch (thrown) {
    if (gateway.id !== 'shared-compared') throw thrown;
    bench.say(`shared: ${gateway.title} is left out: it does not start on PostgreSQL and Redis`);
    return [];
  }
}

/** Runs the task with all wanted gateways, each on new servers of its own; `null` if the servers cannot be started here. */
async function withGateways<T>(wanted: readonly SharedGateway[], { bench, context }: { readonly bench: Bench; readonly context: BenchContext }, task: (running: readonly RunningSubject[]) => Promise<T>): Promise<T | null> {
  const [first, ...others] = wanted;
  if (first === undefined) return task([]);
  const start = await startSharedServers();
  if (start.outcome === 'missing') {
    bench.say(`shared: left out: ${start.reason}`);
    return null;
  }
  try {
    const started = await startUnlessOlder(first, start.servers, { bench, context });
    const result = await withGateways(others, { bench, context }, (running) => task([...started, ...running]));
    for (const { process } of started) await process.stop();
    return result;
  } finally {
    await start.servers.stop();
  }
}

/** Measures what a request costs at a gateway on PostgreSQL and Redis, all on this machine. */
export function sharedScenario({ context, root, compareWith }: SharedOptions): Scenario {
  const gateways: SharedGateway[] = [{ id: 'shared', title: 'Tollgate, PostgreSQL and Redis', root }];
  if (compareWith !== null) gateways.push({ id: 'shared-compared', title: 'Tollgate, other checkout', root: compareWith });
  return {
    id: 'shared',
    title: SHARED_TITLE,
    expectedSeconds: (pace) => (
      gateways.length * SHARED_START_SECONDS + expectedOfWhole({ ...pace, subjects: besides<{ readonly id: SubjectId }>(pace.subjects, gateways) }, SHARED_OPTIONS)),
    run: async (bench) => {
      const result = await withGateways(gateways, { bench, context }, (running) => measureWhole({ ...bench, subjects: besides(bench.subjects, running) }, SHARED_OPTIONS));
      return result === null ? [] : [result];
    },
  };
}
