import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisServer, startPostgresServer, startRedisServer } from '@tollgate/testkit/programs';
import { smallBody } from '../load/requests.js';
import { startTollgate } from '../subjects/tollgate.js';
import type { RunningSubject, SubjectId, Surroundings } from '../subjects/subject.js';
import { WHOLE_MODEL } from '../upstream/replies.js';
import { type Bench, type Scenario, SMALL_WARM_UP } from './scenario.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-requests.js';

/** A PostgreSQL that waits for the disk, and a Redis; both on this machine and for this run alone. */
interface SharedServers {
  /** The environment of a gateway that uses them. */
  readonly environment: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  stop(): Promise<void>;
}

/** `missing` where this machine has no Redis, which no package brings along. */
export type ServersStart =
  | { readonly outcome: 'started'; readonly servers: SharedServers }
  | { readonly outcome: 'missing'; readonly reason: string };

/** Starts both. */
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

export interface SharedOptions {
  readonly surroundings: Surroundings;
  readonly root: string;
  /** Another checkout to measure beside this one. */
  readonly compareWith: string | null;
}

interface SharedGateway {
  readonly id: Extract<SubjectId, 'shared' | 'shared-compared'>;
  readonly title: string;
  readonly root: string;
}

const TITLE = 'Small whole request over PostgreSQL and Redis, one account';

/** An estimate for both servers and the gateway, for the progress display. */
const START_SECONDS = 3;

/** All requests come from one account, and write its row. */
async function startGateway(gateway: SharedGateway, { environment }: SharedServers, { folder, upstreamPort }: Surroundings): Promise<RunningSubject> {
  const own = join(folder, gateway.id);
  mkdirSync(own, { recursive: true });
  return startTollgate({ ...gateway, models: [WHOLE_MODEL], upstreamPort, folder: own, environment, keys: null });
}

/** The pass-through that the gateways are compared with, and they. */
function besides<Subject extends { readonly id: SubjectId }>(subjects: readonly Subject[], gateways: readonly Subject[]): readonly Subject[] {
  return [...subjects.filter(({ id }) => id === 'express'), ...gateways];
}

/** A gateway that waits for its database gets less to do in a second, and needs longer to be warm. */
const OPTIONS: WholeOptions = {
  id: 'shared', title: TITLE, body: smallBody(), connections: 32, seconds: 1, warmUp: { ...SMALL_WARM_UP, gatewaySeconds: 15 },
  subjects: ['express', 'shared', 'shared-compared'],
};

/** Runs a task with a gateway on servers of its own for each that is asked for; `null` when the servers cannot be started here. */
async function withGateways<T>(wanted: readonly SharedGateway[], { bench, surroundings }: { readonly bench: Bench; readonly surroundings: Surroundings }, task: (running: readonly RunningSubject[]) => Promise<T>): Promise<T | null> {
  const [first, ...others] = wanted;
  if (first === undefined) return task([]);
  const start = await startSharedServers();
  if (start.outcome === 'missing') {
    bench.say(`shared: left out: ${start.reason}`);
    return null;
  }
  try {
    const gateway = await startGateway(first, start.servers, surroundings);
    const result = await withGateways(others, { bench, surroundings }, (running) => task([gateway, ...running]));
    await gateway.process.stop();
    return result;
  } finally {
    await start.servers.stop();
  }
}

/** What a request costs a gateway that shares its database and its limits with others, everything being on this machine. */
export function sharedScenario({ surroundings, root, compareWith }: SharedOptions): Scenario {
  const gateways: SharedGateway[] = [{ id: 'shared', title: 'Tollgate, PostgreSQL and Redis', root }];
  if (compareWith !== null) gateways.push({ id: 'shared-compared', title: 'Tollgate, other checkout', root: compareWith });
  return {
    id: 'shared',
    title: TITLE,
    expectedSeconds: (pace) => (
      gateways.length * START_SECONDS + expectedOfWhole({ ...pace, subjects: besides<{ readonly id: SubjectId }>(pace.subjects, gateways) }, OPTIONS)),
    run: async (bench) => {
      const result = await withGateways(gateways, { bench, surroundings }, (running) => measureWhole({ ...bench, subjects: besides(bench.subjects, running) }, OPTIONS));
      return result === null ? [] : [result];
    },
  };
}
