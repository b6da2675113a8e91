import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { postgresQueries, type QueryAnswer, type Script } from '@tollgate/sql-common';
import { type NetworkProxy, type PostgresServer, startNetworkProxy, startPostgresServer } from '@tollgate/testkit';
import { type RawBuilder, sql } from 'kysely';
import { newConnections } from './connection/background-connections.js';
import { ConnectionPool } from './connection/connection-pool.js';
import { PostgresScriptRunner } from './postgres-script-runner.js';
import { onDatabase } from './test-support/test-databases.js';

const START_MILLISECONDS = 60_000;
const queries = postgresQueries();

let servers: readonly [old: PostgresServer, next: PostgresServer];
let folder: string;
/** Address that leads clients to the old server, and after the failover to the new one. */
let address: string;
let network: NetworkProxy;

beforeEach(async () => {
  servers = await Promise.all([startPostgresServer({}), startPostgresServer({})]);
  folder = await mkdtemp(join(tmpdir(), 'tollgate-address-'));
  address = join(folder, 'socket');
  await symlink(servers[0].socket, address);
  network = await startNetworkProxy(address);
  for (const server of servers) await onDatabase(server.url(), 'create table written (value integer)');
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

it('a transaction that a failover lost with the reply to its commit is repeated', async () => {
  const [old, next] = servers;
  await assignIds(old);
  const url = `postgresql://tollgate@127.0.0.1:${network.port}/postgres`;
  const pool = new ConnectionPool(url, 1);
  const runner = new PostgresScriptRunner(pool, newConnections(url), { booked: () => undefined });
  await runner.steps(() => answerTo(sql`select 1`));
  await failOver();
  network.loseNextReplyTo('commit');
  expect(await runner.write(() => answerTo(sql`insert into written values (1)`))).toMatchObject({ changes: 1 });
  expect(network.lostReplies()).toBe(1);
  expect(await onDatabase(next.url(), 'select value from written')).toEqual([{ value: 1 }]);
  await pool.close();
});
