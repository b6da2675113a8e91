import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { until } from '@tollgate/testkit/programs';
import { viewSqlite } from '../books/database-view.js';
import { compileFailingSync } from './failing-sync.js';
import type { FaultName } from './fault-names.js';
import type { FaultSight, RoundOptions } from './fault-round.js';
import { FaultWorld, PURCHASE_PIECES, type TimedOutcome } from './fault-world.js';
import type { FaultyGateway } from './faulty-gateway.js';
import { sellCredit } from './buyers-round.js';
import { failOver } from './failover.js';
import { onPostgres } from './on-postgres.js';
import { pendingIn } from './pending-receipts.js';
import { keepShop } from './shop-round.js';
import { mountSmallDisk } from './small-disk.js';
import { sweepWhilePending } from './sweep-while-pending.js';

const PURCHASES = 12;
const REPEAT_MILLISECONDS = 1000;
const LET_GO_MILLISECONDS = 500;
const MAX_REPEATING_MILLISECONDS = 50_000;

interface Disturbance {
  /** When the upstream sends its replies, counted from the start of the disturbance. */
  readonly answersAfterMilliseconds: number;
  begin(first: FaultyGateway): void;
  /** How long the disturbance lasts. */
  readonly endsAfterMilliseconds: number;
  end(first: FaultyGateway): void;
}

/** While keyed requests run at the first gateway, repeats them at the second one, until they get a reply. */
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
      if (status === 200 || performance.now() - startedAt > MAX_REPEATING_MILLISECONDS) return;
      await pause(REPEAT_MILLISECONDS);
    }
  });
  await Promise.all([...bought, ...repeated, ending]);
  clearInterval(answering);
  const generated = numbers.filter((number) => world.upstream.sentFor(number) > PURCHASE_PIECES).length;
  return { world, violations: [], notes: [`${generated} of ${PURCHASES} purchases were generated twice`] };
}

async function clockAhead(options: RoundOptions): Promise<FaultSight> {
  const { world } = await onPostgres(options);
  const gateways = [await world.startGateway(), await world.startGateway({ CHAOS_CLOCK_AHEAD_MILLISECONDS: '12000' })] as const;
  const nothing = { begin: () => undefined, end: () => undefined };
  return repeatElsewhere(world, gateways, { ...nothing, answersAfterMilliseconds: 10_000, endsAfterMilliseconds: 0 });
}

const AWAY_MILLISECONDS = 22_000;

async function databaseCut(options: RoundOptions): Promise<FaultSight> {
  const { world, network, throughNetwork } = await onPostgres(options);
  const gateways = [await world.startGateway({ DATABASE_URL: throughNetwork }), await world.startGateway()] as const;
  return repeatElsewhere(world, gateways, {
    answersAfterMilliseconds: 20_000, begin: () => network.blackHole(), endsAfterMilliseconds: AWAY_MILLISECONDS, end: () => network.heal(),
  });
}

async function gatewayStopped(options: RoundOptions): Promise<FaultSight> {
  const { world } = await onPostgres(options);
  const gateways = [await world.startGateway(), await world.startGateway()] as const;
  return repeatElsewhere(world, gateways, {
    answersAfterMilliseconds: 20_000, begin: (first) => first.freeze(), endsAfterMilliseconds: AWAY_MILLISECONDS, end: (first) => first.thaw(),
  });
}

const BEFORE_MILLISECONDS = 3000;
const AFTER_MILLISECONDS = 5000;

/**
 * Tolerance around the beginning of a fault: a request sent this long before may notice the fault, and the gateway may take this long to discover it.
 */
const NOTICE_MILLISECONDS = 2000;
const STORE_FAILED = ['service_unavailable', 'server_error', 'internal_error'];

/** When a fault began and ended, as `performance.now()`. */
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

/** Violations: the fault had no effect, or no request was served after it. */
function feltAndRecovered({ outcomes }: FaultWorld, time: FaultTime): readonly string[] {
  const served = outcomes.some(({ sentAt, status }) => sentAt > time.endedAt && status === 200);
  const felt = outcomes.some(({ sentAt, reply, receipt }) => (
    sentAt > time.beganAt - NOTICE_MILLISECONDS && sentAt < time.endedAt && (STORE_FAILED.includes(reply.errorCode ?? '') || receipt?.isPending === true)));
  return [...served ? [] : ['no request was served after the fault'], ...felt ? [] : ['no request noticed the fault']];
}

/** Longer than a settlement waits for an earlier settlement that failed, so that every kind of request gets a pending receipt. */
const PAUSED_MILLISECONDS = 25_000;

async function databasePaused(options: RoundOptions): Promise<FaultSight> {
  const { world, server } = await onPostgres(options);
  const gateway = await world.startGateway();
  const held = world.holdAll(gateway);
  await until(() => held.numbers.every((number) => world.upstream.sentFor(number) > 0));
  const begin = (): void => {
    server.pause();
    world.upstream.letGo();
  };
  const time = await underLoad(world, PAUSED_MILLISECONDS, { begin, end: () => server.resume() });
  const { notes, violations } = pendingIn(await held.ended);
  const refused = `${refusalsIn(world.outcomes, time)} requests were refused meanwhile`;
  return { world, violations: [...feltAndRecovered(world, time), ...violations], notes: [refused, ...notes] };
}

async function onSqlite(options: RoundOptions, folder: string): Promise<{ readonly world: FaultWorld; readonly file: string }> {
  const file = join(folder, 'tollgate.db');
  return { file, world: await FaultWorld.create({ ...options, databaseUrl: `sqlite:${file}`, view: viewSqliteLazily(file) }) };
}

/** Opens the database at the first read, because the gateway creates its file later. */
function viewSqliteLazily(file: string): ReturnType<typeof viewSqlite> {
  let view: ReturnType<typeof viewSqlite> | null = null;
  return { read: (queries) => (view ??= viewSqlite(file)).read(queries), close: () => view?.close() ?? Promise.resolve() };
}

async function syncFailing(options: RoundOptions, milliseconds: number): Promise<{ readonly world: FaultWorld; readonly time: FaultTime }> {
  const sync = compileFailingSync(options.folder);
  const { world } = await onSqlite(options, options.folder);
  await world.startGateway(sync.environment);
  return { world, time: await underLoad(world, milliseconds, sync) };
}

async function syncFails(options: RoundOptions): Promise<FaultSight> {
  const { world, time } = await syncFailing(options, 6000);
  return { world, violations: feltAndRecovered(world, time), notes: [`${refusalsIn(world.outcomes, time)} requests were refused meanwhile`] };
}

async function refusedWhileBroken(options: RoundOptions): Promise<FaultSight> {
  const { world, time } = await syncFailing(options, 10_000);
  const late = world.outcomes.filter(({ sentAt }) => sentAt > time.beganAt + NOTICE_MILLISECONDS && sentAt < time.endedAt);
  const broken = late.filter(({ status, reply: { errorCode } }) => status === 200 && STORE_FAILED.includes(errorCode ?? ''));
  const violations = broken.map(({ number, reply: { requestId } }) => `stream ${requestId ?? ''} of number ${number} ended in an error frame while syncs failed; its reservation should have been refused`);
  const notes = [`${refusalsIn(world.outcomes, time)} requests were refused and ${broken.length} streams ended in an error frame meanwhile`];
  return { world, violations: [...feltAndRecovered(world, time), ...violations], notes };
}

async function diskFull(options: RoundOptions): Promise<FaultSight> {
  const disk = mountSmallDisk(join(options.folder, 'disk'), 48);
  options.defer(() => disk.close());
  const { world } = await onSqlite(options, disk.folder);
  await world.startGateway();
  const time = await underLoad(world, 6000, { begin: () => disk.fill(), end: () => disk.empty() });
  return { world, violations: feltAndRecovered(world, time), notes: [`${refusalsIn(world.outcomes, time)} requests were refused meanwhile`] };
}

const COLUMN_MILLISECONDS = 100;

/** Adds a column to each table under load. No request may fail. */
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

async function columnsOnPostgres(options: RoundOptions): Promise<FaultSight> {
  const { world, server } = await onPostgres(options);
  await world.startGateway();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  const { rows } = await client.query<{ readonly name: string }>("select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename");
  const sight = await addColumns(world, rows.map(({ name }) => name), async (table) => void await client.query(`alter table ${table} add column chaos_added integer`));
  await client.end();
  return sight;
}

async function columnsOnSqlite(options: RoundOptions): Promise<FaultSight> {
  const { world, file } = await onSqlite(options, options.folder);
  await world.startGateway();
  const connection = new Database(file, { timeout: 5000 });
  const tables = connection.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name").pluck().all() as string[];
  const sight = await addColumns(world, tables, (table) => Promise.resolve(void connection.exec(`alter table "${table}" add column chaos_added integer`)));
  connection.close();
  return sight;
}

export const FAULT_ROUNDS: Readonly<Record<FaultName, (options: RoundOptions) => Promise<FaultSight>>> = {
  'clock-ahead': clockAhead,
  'database-cut': databaseCut,
  'gateway-stopped': gatewayStopped,
  'database-paused': databasePaused,
  'sweep-while-pending': sweepWhilePending,
  'sync-fails': syncFails,
  'disk-full': diskFull,
  'columns-postgres': columnsOnPostgres,
  'columns-sqlite': columnsOnSqlite,
  'failover': failOver,
  'sync-refuses': refusedWhileBroken,
  'shop-sqlite': async (options) => keepShop((await onSqlite(options, options.folder)).world, 1),
  'shop-postgres': async (options) => keepShop((await onPostgres(options)).world, 2),
  'buyers-sqlite': async (options) => sellCredit((await onSqlite(options, options.folder)).world, 1),
  'buyers-postgres': async (options) => sellCredit((await onPostgres(options)).world, 2),
};
