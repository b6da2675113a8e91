import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { instant, type KeyHash, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, anApiKey, STORE_NOON, until } from '@tollgate/testkit';
import { Client } from 'pg';
import { ConnectionPool } from './connection/connection-pool.js';
import { PostgresKeyDirectory } from './postgres-key-directory.js';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const KEY = anApiKey();
const postgres = postgresFixture();

describe('PostgresKeyDirectory', () => {
  let url: string;
  let pool: ConnectionPool;
  let clock: ManualClock;
  let directory: PostgresKeyDirectory;

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    const store = await postgres.open(url);
    await store.accounts.create(anAccount(), SYSTEM_ACTOR);
    await store.keys.create({ key: KEY, maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    await store.close();
    pool = new ConnectionPool(url, 4);
    clock = new ManualClock(STORE_NOON);
    directory = new PostgresKeyDirectory(pool, clock);
  });

  afterEach(() => pool.close());

  async function isRevoked(): Promise<boolean | undefined> {
    const holder = await directory.findByHash(KEY.hash);
    return holder === null ? undefined : holder.key.revokedAt !== null;
  }

  /** Revokes the key without notifying gateways. */
  function revoke(): Promise<unknown> {
    return onDatabase(url, 'update api_keys set revoked_at = 7');
  }

  it.each([
    ['the key', { kind: 'key', id: KEY.id }, true],
    ['its account', { kind: 'account', id: KEY.accountId }, true],
    ['another key', { kind: 'key', id: 'key_other' as typeof KEY.id }, false],
    ['the platform', { kind: 'platform', id: null }, false],
  ] as const)('reads a key again only after a change of this key or its account (change of %s, %j: %j)', async (_, change, expected) => {
    expect(await isRevoked()).toBe(false);
    await revoke();
    directory.changed(change);
    expect(await isRevoked()).toBe(expected);
  });

  it('caches a key for at most one second while its listener is disconnected', async () => {
    directory.disconnected();
    expect(await isRevoked()).toBe(false);
    await revoke();
    clock.advance(999);
    expect(await isRevoked()).toBe(false);
    clock.advance(1);
    expect(await isRevoked()).toBe(true);
    await onDatabase(url, 'update api_keys set revoked_at = null');
    directory.missed();
    expect(await isRevoked()).toBe(false);
  });

  it('does not cache a key for longer if the clock is set back', async () => {
    expect(await isRevoked()).toBe(false);
    await revoke();
    clock.set(instant(STORE_NOON - 86_400_000));
    expect(await isRevoked()).toBe(true);
  });

  it('does not cache an answer if a change was received during the read', async () => {
    const holder = new Client({ connectionString: url }).on('error', () => undefined);
    await holder.connect();
    await holder.query('begin; lock table api_keys in access exclusive mode');
    const asked = isRevoked();
    await until(async () => (await onDatabase(url, 'select 1 from pg_locks where not granted')).length === 1);
    directory.changed({ kind: 'key', id: KEY.id });
    await holder.query('rollback');
    await holder.end();
    expect(await asked).toBe(false);
    await revoke();
    expect(await isRevoked()).toBe(true);
  });

  it('does not cache the answer to a read that began before a change, while a later read waits', async () => {
    await onDatabase(url, `alter table api_keys rename to stored_keys;
      create view api_keys as select * from stored_keys where (select pg_advisory_lock_shared(7)::text) is not null`);
    const holder = new Client({ connectionString: url }).on('error', () => undefined);
    await holder.connect();
    await holder.query('select pg_advisory_lock(7)');
    await pool.close();
    pool = new ConnectionPool(url, 1);
    directory = new PostgresKeyDirectory(pool, clock);
    const early = isRevoked();
    await until(async () => (await onDatabase(url, 'select 1 from pg_locks where not granted')).length === 1);
    await onDatabase(url, 'update stored_keys set revoked_at = 7');
    directory.changed({ kind: 'key', id: KEY.id });
    const late = isRevoked();
    const ended = holder.end();
    expect(await early).toBe(false);
    expect(await isRevoked()).toBe(true);
    expect(await late).toBe(true);
    await ended;
  });

  it('reads a key once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => directory.findByHash(KEY.hash)));
    expect(new Set(answers).size).toBe(1);
  });

  it('does not cache unknown keys', async () => {
    const hash = '9'.repeat(64) as KeyHash;
    expect(await directory.findByHash(hash)).toBeNull();
    await onDatabase(url, `update api_keys set hash = '${hash}'`);
    expect((await directory.findByHash(hash))?.key.id).toBe(KEY.id);
  });
});
