import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { OTHERS } from '../test-support/lent-databases.js';
import { onDatabase, postgresFixture } from '../test-support/postgres-stores.js';
import { type BackgroundConnections, newConnections } from './background-connections.js';
import { ConnectionLostError } from './connection-failures.js';
import type { Session } from './session.js';

const postgres = postgresFixture();

async function valueOf(session: Session, query: string): Promise<unknown> {
  const { rows } = await session.query(query);
  return Object.values(Object(rows[0]) as object)[0];
}

describe('newConnections', () => {
  let url: string;
  let connections: BackgroundConnections;

  beforeEach(async () => {
    url = await postgres.createDatabase();
    connections = newConnections(url);
  });

  async function expectNoneOpen(): Promise<void> {
    await until(async () => (await onDatabase(url, OTHERS)).length === 0);
    expect(await onDatabase(url, OTHERS)).toEqual([]);
  }

  it('opens a connection for each task, even for concurrent tasks, and closes it afterwards', async () => {
    const identity = (): Promise<unknown> => connections.use((session) => valueOf(session, 'select pg_backend_pid()'));
    const identities = [...await Promise.all([identity(), identity()]), await identity()];
    expect(new Set(identities).size).toBe(3);
    await expectNoneOpen();
  });

  it('closes the connection of a failed task, and throws the task’s error', async () => {
    await expect(connections.use((session) => session.query('select 1/0'))).rejects.toThrow('division by zero');
    await expectNoneOpen();
  });

  it('throws a ConnectionLostError if no connection can be opened', async () => {
    await expect(newConnections('postgresql://tollgate@127.0.0.1:1/postgres').use(() => Promise.resolve())).rejects.toBeInstanceOf(ConnectionLostError);
  });

  it.each(['53100', '53200', '57014', '57P01', '58030'])('throws SQL state %s as a failure of the store', async (code) => {
    await expect(connections.use((session) => session.query(`do $$ begin raise exception using errcode = '${code}'; end $$`))).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('throws a refusal of the connection by the server as a failure of the store', async () => {
    await expect(newConnections(postgres.server().url('nowhere')).use(() => Promise.resolve())).rejects.toMatchObject({ name: 'StoreUnavailable', cause: { code: '3D000' } });
  });

  it.each(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])('opens connections without %s', async (setting) => {
    expect(await connections.use((session) => valueOf(session, `show ${setting}`))).toBe('0');
  });
});
