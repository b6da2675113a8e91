import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onDatabase, postgresFixture } from '../test-support/postgres-stores.js';
import { ConnectionLostError, hasWaitedTooLong, isTransient, sqlStateOf } from './connection-failures.js';
import { ConnectionPool } from './connection-pool.js';
import { inTransaction } from './transaction.js';
import { retryTransient } from './retry-transient.js';
import type { Session } from './session.js';

const postgres = postgresFixture();

describe('ConnectionPool', () => {
  let url: string;
  let pool: ConnectionPool;

  beforeEach(async () => {
    url = await postgres.createDatabase();
    pool = new ConnectionPool(url, 2);
  });

  afterEach(() => pool.close());

  async function valueOf(query: string): Promise<unknown> {
    const { rows } = await pool.use((session) => session.query(query));
    return Object.values(Object(rows[0]) as object)[0];
  }

  it.each([
    ['synchronous_commit', 'off', 'on'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['statement_timeout', '0', '5s'],
    ['lock_timeout', '0', '2s'],
    ['idle_in_transaction_session_timeout', '0', '10s'],
  ])('sets %s as required although the server’s default is %s', async (setting, servers, expected) => {
    await onDatabase(url, `alter database ${new URL(url.replace('@/', '@x/')).pathname.slice(1)} set ${setting} = '${servers}'`);
    expect(await valueOf(`show ${setting}`)).toBe(expected);
  });

  it('reads integers of every width exactly, and other values unchanged', async () => {
    const { rows } = await pool.use((session) => session.query("select 1::int2 as a, 2::int4 as b, 9223372036854775807::int8 as c, 'd' as d, null as e, true as f"));
    expect(rows).toEqual([{ a: 1n, b: 2n, c: 9223372036854775807n, d: 'd', e: null, f: true }]);
  });

  it('never opens more than its maximum number of connections', async () => {
    const identities = await Promise.all(Array.from({ length: 20 }, () => valueOf('select pg_backend_pid()')));
    expect(new Set(identities).size).toBeLessThanOrEqual(2);
  });

  it('replaces a connection that the server closed during a task or between two tasks', async () => {
    const ended = pool.use(async (session) => {
      const { rows } = await session.query('select pg_backend_pid() as pid');
      await onDatabase(url, `select pg_terminate_backend(${String(rows[0]?.pid)})`);
      return session.query('select 1');
    });
    expect(isTransient(await ended.catch((thrown: unknown) => thrown))).toBe(true);
    expect(await valueOf('select 1')).toBe(1n);
    await onDatabase(url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
    const after = await pool.use((session) => session.query('select 1')).then(() => 'answered', (thrown: unknown) => (isTransient(thrown) ? 'to be repeated' : thrown));
    expect(['answered', 'to be repeated']).toContain(after);
    expect(await valueOf('select 1')).toBe(1n);
  });

  it.each([
    ['alone', (session: Session, query: () => Promise<unknown>) => query()],
    ['in a transaction', (session: Session, query: () => Promise<unknown>) => inTransaction(session, 'begin', query)],
  ])('repeats a statement %s once, on a new connection, if a migration changed its columns', async (_, runIn) => {
    await onDatabase(url, 'create table things (a integer)', 'insert into things values (1)');
    let attempts = 0;
    const read = (): Promise<unknown> => retryTransient(() => pool.use((session) => runIn(session, async () => {
      attempts += 1;
      return (await session.query({ name: 'things', text: 'select * from things' })).rows;
    })));
    await Promise.all([read(), read(), read(), read()]);
    await onDatabase(url, 'alter table things add column b integer default 2');
    attempts = 0;
    expect(await read()).toEqual([{ a: 1n, b: 2n }]);
    expect(attempts).toBe(2);
    expect(await Promise.all([read(), read(), read()])).toEqual(Array.from({ length: 3 }, () => [{ a: 1n, b: 2n }]));
    expect(attempts).toBe(5);
  });

  it('distinguishes a lost connection, a refused statement and a timeout', async () => {
    const lost = new ConnectionPool('postgresql://127.0.0.1:1/none', 1);
    await expect(lost.use((session) => session.query('select 1'))).rejects.toThrow(ConnectionLostError);
    await lost.close();
    const refusal = await pool.use((session) => session.query('select 1/0')).catch((thrown: unknown) => thrown);
    expect([sqlStateOf(refusal), isTransient(refusal), hasWaitedTooLong(refusal)]).toEqual(['22012', false, false]);
    const waiting = await pool.use(async (session) => {
      await session.query("set statement_timeout = '5ms'");
      return session.query('select pg_sleep(5)').catch((thrown: unknown) => thrown);
    });
    expect([sqlStateOf(waiting), isTransient(waiting), hasWaitedTooLong(waiting)]).toEqual(['57014', false, true]);
  });
});
