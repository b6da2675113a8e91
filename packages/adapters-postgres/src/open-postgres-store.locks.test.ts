import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { aKeptResponse, anAccount, anEnding, deleteAccount, scheduleDeletion, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { Client } from 'pg';
import { assertSoundBooks, onDatabase, postgresFixture, processNamed } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

describe('locks', () => {
  let url: string;
  let driver: StoreDriver;
  let holder: Client;

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('100');
    holder = new Client({ connectionString: url }).on('error', () => undefined);
    await holder.connect();
  });

  afterEach(async () => {
    await holder.end();
    await assertSoundBooks(driver.store);
    await driver.close();
  });

  /** A response with the same id, which is being stored, then waits. */
  async function holdResponse(): Promise<void> {
    await holder.query(`begin; insert into stored_responses (account_id, id, bytes, expires_at, input_items, output_items, body) values ('${STORE_ALICE}', 'resp_1', 1, 0, '', '', '')`);
  }

  /** Resolves when so many statements wait for locks. */
  async function somebodyWaits(statements = 1): Promise<void> {
    await until(async () => (await onDatabase(url, 'select 1 from pg_locks where not granted')).length >= statements);
  }

  it('on accounts are taken in order of their ids, so that no two groups deadlock', async () => {
    const ids = Array.from({ length: 10 }, (_, number) => `acct_${number}` as AccountId);
    for (const [number, id] of ids.entries()) await driver.store.accounts.create(anAccount({ id, email: `${number}@example.test` }), SYSTEM_ACTOR);
    await holder.query("begin; select 1 from accounts where id = 'acct_9' for update");
    const reserving = Promise.all([...ids.keys()].toReversed().map((number) => driver.reserve(number, '0', { facts: { accountId: ids[number] ?? STORE_ALICE } })));
    await somebodyWaits();
    for (const id of ids.slice(0, -1)) {
      await expect(onDatabase(url, `select 1 from accounts where id = '${id}' for update nowait`)).rejects.toThrow('could not obtain lock');
    }
    await holder.query('rollback');
    expect(new Set((await reserving).map(({ outcome }) => outcome))).toEqual(new Set(['reserved']));
  });

  it('on a reservation that another session is ending do not delay a sweeper', async () => {
    for (const number of [1, 2, 3]) await driver.reserve(number, '10', { owner: processNamed('dead') });
    await holder.query("begin; select 1 from reservations where id = 'rsv_2' for update");
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(2);
    await holder.query('rollback');
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(1);
  });

  it('on a key that another session is changing do not delay a settlement', async () => {
    await onDatabase(url, `insert into api_keys (id, account_id, hash, hint, created_at, updated_at, blocked) values ('key_1', '${STORE_ALICE}', 'h', 'h', 0, 0, 0)`);
    await holder.query("begin; update api_keys set revoked_at = 7 where id = 'key_1'");
    await driver.serve(1, anEnding(1));
    await holder.query('commit');
    expect(await driver.balance()).toBe('99/0/99');
  });

  it('on one account delay no requests of other accounts, and its own requests are served after the release', async () => {
    await driver.credit('50', STORE_BOB);
    await holder.query(`begin; update accounts set name = name where id = '${STORE_ALICE}'`);
    const blocked = driver.serve(1, anEnding(1));
    await Promise.all(Array.from({ length: 20 }, (_, number) => driver.serve(10 + number, anEnding(1), { accountId: STORE_BOB })));
    await holder.query('rollback');
    await blocked;
    expect([await driver.balance(), await driver.balance(STORE_BOB)]).toEqual(['99/0/99', '30/0/30']);
  });

  it('of an operator’s change do not delay requests', async () => {
    await holder.query('begin; select pg_advisory_xact_lock(7086190021)');
    const changing = driver.store.accounts.change(STORE_BOB, { name: 'Another' }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    await somebodyWaits();
    await driver.serve(1, anEnding(1));
    await holder.query('rollback');
    expect(await changing).toMatchObject({ name: 'Another' });
  });

  it('of a response that is being stored delay the deletion of its account, which then erases the response', async () => {
    const { responses, erasure } = driver.store as SqlStore;
    const pending = await scheduleDeletion(driver.store.accounts, STORE_ALICE);
    await holdResponse();
    const keeping = responses.keep(aKeptResponse(1));
    await somebodyWaits();
    const deleting = erasure.deleteAccount(STORE_ALICE, pending, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    await somebodyWaits(2);
    await holder.query('rollback');
    await keeping;
    expect(await deleting).toMatchObject({ outcome: 'deleted' });
    await erasure.eraseLeftovers(STORE_ALICE);
    expect(await responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toBeNull();
  });

  it('of a response that is being stored delay no booking of its account', async () => {
    const { responses } = driver.store as SqlStore;
    await holdResponse();
    const keeping = responses.keep(aKeptResponse(1));
    await somebodyWaits();
    await driver.serve(1, anEnding(1));
    await holder.query('rollback');
    await keeping;
    expect(await driver.balance()).toBe('99/0/99');
  });

  it('of a deletion delay a response of the account, which then is not stored', async () => {
    const { responses, erasure, ...store } = driver.store as SqlStore;
    await onDatabase(url, `insert into api_keys (id, account_id, hash, hint, created_at, updated_at, blocked) values ('key_1', '${STORE_ALICE}', 'h', 'h', 0, 0, 0)`);
    await holder.query("begin; select 1 from api_keys where id = 'key_1' for update");
    const deleting = deleteAccount({ ...store, erasure }, STORE_ALICE);
    await somebodyWaits();
    const keeping = responses.keep(aKeptResponse(1));
    await somebodyWaits(2);
    await holder.query('rollback');
    await Promise.all([keeping, deleting]);
    expect(await responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toBeNull();
  });
});
