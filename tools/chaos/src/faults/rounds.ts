import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { startNetworkProxy, startPostgresServer, until } from '@tollgate/testkit/programs';
import { viewPostgres, viewSqlite } from '../books.js';
import { compileFailingSync } from './failing-sync.js';
import type { FaultRound, FaultSight, RoundOptions } from './fault-round.js';
import { FaultWorld, PURCHASE_PIECES, type FaultyGateway, type TimedOutcome } from './fault-world.js';
import { failOver } from './failover.js';
import { mountSmallDisk } from './small-disk.js';

const PURCHASES = 12;
const REPEAT_MILLISECONDS = 1000;
const LET_GO_MILLISECONDS = 500;
const LONGEST_REPEATING_MILLISECONDS = 50_000;

/** How the first gateway of a purchase is disturbed. */
interface Disturbance {
  /** When the upstream begins to answer, since the start. */
  readonly answersAfterMilliseconds: number;
  begin(first: FaultyGateway): void;
  /** When the disturbance ends, since its start. */
  readonly endsAfterMilliseconds: number;
  end(first: FaultyGateway): void;
}

/** Requests under a key in progress at the first gateway are repeated at the second until they are answered. */
async function repeatElsewhere(world: FaultWorld, [first, second]: readonly [FaultyGateway, FaultyGateway], disturbance: Disturbance): Promise<FaultSight> {
  const numbers = Array.from({ length: PURCHASES }, () => world.nextNumber());
  const bought = numbers.map((number) => world.buy(first, number));
  await until(() => numbers.every((number) => world.upstream.sentFor(number) > 0));
  const startedAt = performance.now();
  disturbance.begin(first);
  const ending = pause(disturbance.endsAfterMilliseconds).then(() => disturbance.end(first));
  const answering = setInterval(() => performance.now() - startedAt > disturbance.answersAfterMilliseconds && world.upstream.letGo(), LET_GO_MILLISECONDS);
  const repeated = numbers.map(async (number) => {
    for (;;) {
      const { status } = await world.buy(second, number);
      if (status === 200 || performance.now() - startedAt > LONGEST_REPEATING_MILLISECONDS) return;
      await pause(REPEAT_MILLISECONDS);
    }
  });
  await Promise.all([...bought, ...repeated, ending]);
  clearInterval(answering);
  const generated = numbers.filter((number) => world.upstream.sentFor(number) > PURCHASE_PIECES).length;
  return { world, violations: [], notes: [`${generated} of ${PURCHASES} purchases were generated twice`] };
}

async function onPostgres(options: RoundOptions): Promise<{ readonly world: FaultWorld; readonly network: Awaited<ReturnType<typeof startNetworkProxy>>; readonly server: Awaited<ReturnType<typeof startPostgresServer>>; readonly throughNetwork: string; readonly ended: () => Promise<void> }> {
  const server = await startPostgresServer({ disk: 'durable' });
  const network = await startNetworkProxy(server.socket);
  const world = await FaultWorld.create({ ...options, databaseUrl: server.url(), view: viewPostgres(server.url()) });
  const ended = async (): Promise<void> => {
    await network.stop();
    await server.stop();
  };
  return { world, network, server, throughNetwork: `postgresql://tollgate@127.0.0.1:${network.port}/postgres`, ended };
}

async function clockAhead(options: RoundOptions): Promise<FaultRound> {
  const { world, ended } = await onPostgres(options);
  const gateways = [await world.startGateway(), await world.startGateway({ CHAOS_CLOCK_AHEAD_MILLISECONDS: '12000' })] as const;
  const nothing = { begin: () => undefined, end: () => undefined };
  return { sight: await repeatElsewhere(world, gateways, { ...nothing, answersAfterMilliseconds: 10_000, endsAfterMilliseconds: 0 }), ended };
}

const AWAY_MILLISECONDS = 22_000;

async function databaseCut(options: RoundOptions): Promise<FaultRound> {
  const { world, network, throughNetwork, ended } = await onPostgres(options);
  const gateways = [await world.startGateway({ DATABASE_URL: throughNetwork }), await world.startGateway()] as const;
  const sight = await repeatElsewhere(world, gateways, {
    answersAfterMilliseconds: 20_000, begin: () => network.blackHole(), endsAfterMilliseconds: AWAY_MILLISECONDS, end: () => network.heal(),
  });
  return { sight, ended };
}

async function gatewayStopped(options: RoundOptions): Promise<FaultRound> {
  const { world, ended } = await onPostgres(options);
  const gateways = [await world.startGateway(), await world.startGateway()] as const;
  const sight = await repeatElsewhere(world, gateways, {
    answersAfterMilliseconds: 20_000, begin: (first) => first.freeze(), endsAfterMilliseconds: AWAY_MILLISECONDS, end: (first) => first.thaw(),
  });
  return { sight, ended };
}

const BEFORE_MILLISECONDS = 3000;
const AFTER_MILLISECONDS = 5000;

/** When a fault began and ended, on the clock that `performance.now` reads. */
interface FaultTime {
  readonly beganAt: number;
  readonly endedAt: number;
}

async function underLoad(world: FaultWorld, milliseconds: number, { begin, end }: { readonly begin: () => void; readonly end: () => void }): Promise<FaultTime> {
  const load = world.startLoad();
  await pause(BEFORE_MILLISECONDS);
  begin();
  const beganAt = performance.now();
  await pause(milliseconds);
  end();
  const endedAt = performance.now();
  await pause(AFTER_MILLISECONDS);
  await load.stop();
  return { beganAt, endedAt };
}

function refusalsIn(outcomes: readonly TimedOutcome[], { beganAt, endedAt }: FaultTime): number {
  return outcomes.filter(({ sentAt, status }) => sentAt > beganAt && sentAt < endedAt && status === 503).length;
}

/** Service must return after the fault, and the fault must have been felt. */
function feltAndRecovered({ outcomes }: FaultWorld, time: FaultTime): readonly string[] {
  const served = outcomes.some(({ sentAt, status }) => sentAt > time.endedAt && status === 200);
  const felt = outcomes.some(({ sentAt, status, receipt }) => sentAt > time.beganAt - 1000 && sentAt < time.endedAt && (status !== 200 || receipt?.isPending === true));
  return [...served ? [] : ['no request was served after the fault'], ...felt ? [] : ['no request noticed the fault']];
}

async function databasePaused(options: RoundOptions): Promise<FaultRound> {
  const { world, server, ended } = await onPostgres(options);
  await world.startGateway();
  const time = await underLoad(world, 17_000, { begin: () => server.pause(), end: () => server.resume() });
  return { sight: { world, violations: feltAndRecovered(world, time), notes: [`${refusalsIn(world.outcomes, time)} requests were refused meanwhile`] }, ended };
}

async function onSqlite(options: RoundOptions, folder: string): Promise<{ readonly world: FaultWorld; readonly file: string }> {
  const file = join(folder, 'tollgate.db');
  return { file, world: await FaultWorld.create({ ...options, databaseUrl: `sqlite:${file}`, view: viewSqliteLazily(file) }) };
}

/** Opens the file at the first read, when it has been created. */
function viewSqliteLazily(file: string): ReturnType<typeof viewSqlite> {
  let view: ReturnType<typeof viewSqlite> | null = null;
  return { read: (queries) => (view ??= viewSqlite(file)).read(queries), close: () => view?.close() ?? Promise.resolve() };
}

const nothingToEnd = (): Promise<void> => Promise.resolve();

async function syncFailing(options: RoundOptions, milliseconds: number): Promise<{ readonly world: FaultWorld; readonly time: FaultTime }> {
  const sync = compileFailingSync(options.folder);
  const { world } = await onSqlite(options, options.folder);
  await world.startGateway(sync.environment);
  return { world, time: await underLoad(world, milliseconds, sync) };
}

async function syncFails(options: RoundOptions): Promise<FaultRound> {
  const { world, time } = await syncFailing(options, 6000);
  return { sight: { world, violations: feltAndRecovered(world, time), notes: [`${refusalsIn(world.outcomes, time)} requests were refused meanwhile`] }, ended: nothingToEnd };
}

/** Requests that are reserved before the first failed sync is noticed may still end in an error. */
const NOTICE_MILLISECONDS = 2000;
const STORE_FAILED = ['service_unavailable', 'server_error', 'internal_error'];

async function refusedWhileBroken(options: RoundOptions): Promise<FaultRound> {
  const { world, time } = await syncFailing(options, 10_000);
  const late = world.outcomes.filter(({ sentAt }) => sentAt > time.beganAt + NOTICE_MILLISECONDS && sentAt < time.endedAt);
  const broken = late.filter(({ status, reply: { errorCode } }) => status === 200 && STORE_FAILED.includes(errorCode ?? ''));
  const violations = broken.map(({ number, reply: { requestId } }) => `stream ${requestId ?? ''} of number ${number} ended in an error frame while syncs failed; its reservation should have been refused`);
  const notes = [`${refusalsIn(world.outcomes, time)} requests were refused and ${broken.length} streams ended in an error frame meanwhile`];
  return { sight: { world, violations: [...feltAndRecovered(world, time), ...violations], notes }, ended: nothingToEnd };
}

async function diskFull(options: RoundOptions): Promise<FaultRound> {
  const disk = mountSmallDisk(join(options.folder, 'disk'), 48);
  const { world } = await onSqlite(options, disk.folder);
  await world.startGateway();
  const time = await underLoad(world, 6000, { begin: () => disk.fill(), end: () => disk.empty() });
  return { sight: { world, violations: feltAndRecovered(world, time), notes: [`${refusalsIn(world.outcomes, time)} requests were refused meanwhile`] }, ended: () => Promise.resolve(disk.close()) };
}

const COLUMN_MILLISECONDS = 100;

/** Adds a column to every table in turn, under load; no request may fail of it. */
async function addColumns(world: FaultWorld, tables: readonly string[], alter: (table: string) => Promise<void>): Promise<FaultSight> {
  const load = world.startLoad();
  await pause(BEFORE_MILLISECONDS);
  for (const table of tables) {
    await alter(table);
    await pause(COLUMN_MILLISECONDS);
  }
  await pause(BEFORE_MILLISECONDS);
  await load.stop();
  const failed = world.outcomes.filter(({ status, reply: { errorCode } }) => status === 500 || STORE_FAILED.includes(errorCode ?? ''));
  const violations = failed.map(({ status, reply: { requestId, errorCode } }) => `request ${requestId ?? ''} failed with ${status} ${errorCode ?? ''} while columns were added`);
  return { world, violations, notes: [`${tables.length} tables; ${failed.length} of ${world.outcomes.length} requests failed`] };
}

async function columnsOnPostgres(options: RoundOptions): Promise<FaultRound> {
  const { world, server, ended } = await onPostgres(options);
  await world.startGateway();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  const { rows } = await client.query<{ readonly name: string }>("select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename");
  const sight = await addColumns(world, rows.map(({ name }) => name), async (table) => void await client.query(`alter table ${table} add column chaos_added integer`));
  await client.end();
  return { sight, ended };
}

async function columnsOnSqlite(options: RoundOptions): Promise<FaultRound> {
  const { world, file } = await onSqlite(options, options.folder);
  await world.startGateway();
  const connection = new Database(file, { timeout: 5000 });
  const tables = connection.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name").pluck().all() as string[];
  const sight = await addColumns(world, tables, (table) => Promise.resolve(void connection.exec(`alter table "${table}" add column chaos_added integer`)));
  connection.close();
  return { sight, ended: nothingToEnd };
}

/** Every round, by the name it is chosen with. */
export const FAULT_ROUNDS = {
  'clock-ahead': { what: 'repeats keyed requests at a gateway whose clock is 12 s ahead', run: clockAhead },
  'database-cut': { what: 'repeats keyed requests elsewhere while their gateway is cut off from the database for 22 s', run: databaseCut },
  'gateway-stopped': { what: 'repeats keyed requests elsewhere while their gateway is stopped for 22 s', run: gatewayStopped },
  'database-paused': { what: 'PostgreSQL is paused for 17 s', run: databasePaused },
  'sync-fails': { what: 'fdatasync fails for 6 s on a database file (needs Linux and a C compiler)', run: syncFails },
  'disk-full': { what: 'the disk of a database file is full for 6 s (needs Linux and root)', run: diskFull },
  'columns-postgres': { what: 'a column is added to every table in turn, on PostgreSQL', run: columnsOnPostgres },
  'columns-sqlite': { what: 'a column is added to every table in turn, on SQLite', run: columnsOnSqlite },
  'failover': { what: 'PostgreSQL fails over to a standby that lags', run: failOver },
  'sync-refuses': { what: 'fdatasync fails for 10 s: requests are refused, streams do not break (needs Linux and a C compiler)', run: refusedWhileBroken },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly run: (options: RoundOptions) => Promise<FaultRound> }>>;

export type FaultName = keyof typeof FAULT_ROUNDS;
export const FAULT_NAMES = Object.keys(FAULT_ROUNDS) as readonly FaultName[];
