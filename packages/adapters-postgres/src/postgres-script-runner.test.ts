import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { postgresQueries, type QueryAnswer, type Script } from '@tollgate/sql-common';
import { type NetworkProxy, type PostgresServer, startNetworkProxy, startPostgresServer, until } from '@tollgate/testkit';
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';
import { newConnections } from './connection/background-connections.js';
import { CREATE_SCRIPT_COMMITS } from './connection/commit-marks.js';
import { ConnectionPool } from './connection/connection-pool.js';
import { PostgresScriptRunner } from './postgres-script-runner.js';
import { onDatabase } from './test-support/test-databases.js';

const START_MILLISECONDS = 60_000;
const queries = postgresQueries();
const ONCE = { changes: 1, rows: [{ value: 1 }] };

let servers: readonly [old: PostgresServer, next: PostgresServer];
let folder: string;
/** Address that leads clients to the old server, and after the failover to the new one. */
let address: string;
let network: NetworkProxy;

beforeEach(async () => {
  servers = await Promise.all([startPostgresServer(), startPostgresServer({ disk: 'durable' })]);
  folder = await mkdtemp(join(tmpdir(), 'tollgate-address-'));
  address = join(folder, 'socket');
  await symlink(servers[0].socket, address);
  network = await startNetworkProxy(address);
  for (const server of servers) await onDatabase(server.url(), 'create table written (value integer)', CREATE_SCRIPT_COMMITS);
}, START_MILLISECONDS);

afterEach(async () => {
  await network.stop();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true });
});

async function failOver(): Promise<void> {
  await rm(address);
  await symlink(servers[1].socket, address);
}

function* answerTo(statement: RawBuilder<unknown>): Script<QueryAnswer> {
  return yield statement.compile(queries);
}

/** Makes this server assign transaction ids that the other one has not assigned. */
function assignIds(server: PostgresServer): Promise<unknown> {
  return onDatabase(server.url(), `do $$ begin
    for number in 1..5000 loop
      begin insert into written values (0); exception when others then null; end;
    end loop;
  end $$`);
}

/** Waits until as many statements as this wait for locks. */
function untilWaiting(server: PostgresServer, count: number): Promise<void> {
  return until(async () => (await onDatabase(server.url(), 'select 1 from pg_locks where not granted')).length === count);
}

describe('a transaction whose commit has no reply', () => {
  let pool: ConnectionPool;
  let runner: PostgresScriptRunner;

  beforeEach(async () => {
    const url = `postgresql://tollgate@127.0.0.1:${network.port}/postgres`;
    pool = new ConnectionPool(url, 1);
    runner = new PostgresScriptRunner(pool, newConnections(url), { booked: () => undefined });
    await runner.steps(() => answerTo(sql`select 1`));
  });

  afterEach(() => pool.close());

  /** What the transaction reports, and the rows that it left on the server. */
  async function outcomeOf(written: Promise<QueryAnswer>, server: PostgresServer): Promise<unknown> {
    const { changes } = await written;
    return { changes, rows: await onDatabase(server.url(), 'select value from written where value = 1') };
  }

  function write(): Promise<QueryAnswer> {
    return runner.write(() => answerTo(sql`insert into written values (1)`));
  }

  it.each([
    ['has not given its id to another one', 0],
    ['has given its id to another one', 1],
  ] as const)('is repeated if a failover lost it, and the new server %s', async (_ids, server) => {
    await assignIds(servers[server]);
    await failOver();
    network.loseNextReplyTo('commit');
    expect(await outcomeOf(write(), servers[1])).toEqual(ONCE);
    expect(network.lostReplies()).toBe(1);
  });

  it('is looked up after the promotion if the new server is still a standby', async () => {
    const [, next] = servers;
    await next.shutDown();
    await writeFile(join(dirname(next.socket), 'data', 'standby.signal'), '');
    await next.restart();
    const holder = new Client({ connectionString: next.url() });
    await holder.connect();
    await holder.query('select pg_advisory_lock(7086190021)');
    await failOver();
    network.loseNextReplyTo('commit');
    const written = write();
    await untilWaiting(next, 1);
    await holder.query('select pg_advisory_unlock(7086190021)');
    await holder.query('select pg_promote()');
    expect(await outcomeOf(written, next)).toEqual(ONCE);
    await holder.end();
  });

  it('is looked up only after the server has finished it', async () => {
    const [server] = servers;
    await onDatabase(server.url(), `
      create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
      create constraint trigger waiting after insert on written deferrable initially deferred for each row execute function wait_for_test()
    `);
    const holder = new Client({ connectionString: server.url() });
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    const written = write();
    await untilWaiting(server, 1);
    network.cut();
    await untilWaiting(server, 2);
    await holder.end();
    expect(await outcomeOf(written, server)).toEqual(ONCE);
  });
});
