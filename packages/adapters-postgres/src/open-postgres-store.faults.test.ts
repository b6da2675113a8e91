import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type ApiKeyId, type KeyHash, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import {
  anAccount, anApiKey, anEnding, type NetworkProxy, receiptOf, reservationId, startNetworkProxy, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver,
} from '@tollgate/testkit';
import { assertSoundBooks, onDatabase, postgresFixture, processNamed } from './test-support/postgres-stores.js';

const postgres = postgresFixture({ disk: 'fast' });
const KILL_ALL = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** After every fault, the books must balance, and every operation must have taken effect exactly once. */
describe('a PostgreSQL store on an unreliable network', () => {
  let url: string;
  let network: NetworkProxy;
  let store: SqlStore;
  let driver: StoreDriver;

  beforeEach(async () => {
    url = await postgres.createStoreDatabase();
    network = await startNetworkProxy(postgres.server().socket);
    const database = /\/(test_\d+)/.exec(url)?.[1] ?? '';
    store = await postgres.open(`postgresql://tollgate@127.0.0.1:${network.port}/${database}`);
    driver = await StoreDriver.start(() => store);
    await driver.credit('100');
  });

  afterEach(async () => {
    network.heal();
    await assertSoundBooks(store);
    await driver.close();
    await network.stop();
  });

  /** Loses the reply to the statement that contains this text. */
  async function losingTheReplyTo<T>(text: string, task: () => Promise<T>): Promise<T> {
    const before = network.lostReplies();
    network.loseNextReplyTo(text);
    const result = await task();
    expect(network.lostReplies()).toBe(before + 1);
    return result;
  }

  it('reserves once although the reply to the reservation is lost', async () => {
    expect(await losingTheReplyTo('"id":"rsv_1"', () => driver.reserve(1, '30'))).toEqual({ outcome: 'reserved', amount: ServiceTokens.parse('30') });
    expect(await driver.balance()).toBe('100/30/70');
  });

  it('extends a reservation once although the reply to the extension is lost', async () => {
    await driver.reserve(1, '30');
    const { ledger } = driver.store;
    for (let step = 1; step <= 3; step += 1) {
      await losingTheReplyTo('"kind":"extend"', () => ledger.extend(reservationId(1), ServiceTokens.parse('10')));
      expect(await driver.balance()).toBe(`100/${30 + 10 * step}/${70 - 10 * step}`);
    }
  });

  it('charges each of twenty-five requests once although the reply to each settlement is lost', async () => {
    for (let number = 0; number < 25; number += 1) {
      await driver.reserve(number, '3');
      const settlement = await losingTheReplyTo('"kind":"settle"', () => driver.settle(number, anEnding(2)));
      expect(receiptOf(settlement)).toEqual(['2', '0.02', '0']);
    }
    expect(await driver.balance()).toBe('50/0/50');
  });

  it('charges each settlement of a group once although the reply to the group is lost', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => driver.reserve(number, '3')));
    await losingTheReplyTo('"kind":"settle"', () => Promise.all(Array.from({ length: 20 }, (_, number) => driver.settle(number, anEnding(2)))));
    expect(await driver.balance()).toBe('60/0/60');
  });

  it('credits an account once, and reports success, although the reply to the commit is lost', async () => {
    const command = { accountId: STORE_BOB, amount: ServiceTokens.parse('5'), reference: 'invoice', actor: SYSTEM_ACTOR, at: STORE_NOON };
    expect((await losingTheReplyTo('commit', () => driver.store.ledger.credit(command))).outcome).toBe('credited');
    expect(await driver.balance(STORE_BOB)).toBe('5/0/5');
  });

  it('reports the outcome of the first attempt, not of its repetition, if the reply to a commit is lost', async () => {
    const { accounts, keys, auditTrail } = store;
    const account = anAccount({ id: 'acct_carol' as AccountId, email: 'carol@example.test' });
    expect(await losingTheReplyTo('commit', () => accounts.create(account, SYSTEM_ACTOR))).toBe('created');
    const creation = { key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR };
    expect(await losingTheReplyTo('commit', () => keys.create(creation))).toBe('created');
    const replacement = anApiKey({ id: 'key_2' as ApiKeyId, hash: '1'.repeat(64) as KeyHash });
    const rotation = { accountId: STORE_ALICE, revokedId: anApiKey().id, replacement, maximumPerHour: 60, actor: SYSTEM_ACTOR };
    expect(await losingTheReplyTo('commit', () => keys.rotate(rotation))).toBe('rotated');
    const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
    expect(await losingTheReplyTo('commit', () => keys.revoke(STORE_ALICE, replacement.id, by))).toBe(true);
    expect(await auditTrail.verifyAuditTrail()).toMatchObject({ firstBrokenEntry: null });
  });

  it('reports success of a committed change of the settings although it cannot read them afterwards', async () => {
    await onDatabase(url, `create function hide() returns trigger language plpgsql as $$ begin alter table incident_limits rename to hidden_limits; return null; end $$;
      create constraint trigger hide after insert on platform_settings deferrable initially deferred for each row execute function hide()`);
    await store.controls.setMaintenance({ startsAt: STORE_NOON, endsAt: null, message: 'Moving' }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    await onDatabase(url, 'alter table hidden_limits rename to incident_limits');
    expect(await onDatabase(url, "select 1 from platform_settings where name = 'maintenance'")).toHaveLength(1);
  });

  it('repeats a transaction whose connection broke before the commit', async () => {
    const change = (): Promise<unknown> => store.accounts.change(STORE_ALICE, { name: 'Another' }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    expect(await losingTheReplyTo('pg_advisory_xact_lock', change)).toMatchObject({ name: 'Another' });
    expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 4, firstBrokenEntry: null });
  });

  it('sweeps a reservation once although the reply to the commit is lost', async () => {
    await driver.reserve(1, '30', { owner: processNamed('dead') });
    await losingTheReplyTo('commit', () => driver.store.ledger.sweep(STORE_NOON));
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('keeps serving while connections are cut repeatedly', async () => {
    const serving = Promise.all(Array.from({ length: 90 }, (_, number) => driver.serve(number, anEnding(1))));
    for (let time = 0; time < 10; time += 1) {
      network.cut();
      await onDatabase(url, 'select pg_sleep(0.01)');
    }
    await serving;
    expect(await driver.balance()).toBe('10/0/10');
  });
});

describe('a PostgreSQL store whose server fails', () => {
  let url: string;
  let driver: StoreDriver;

  beforeEach(async () => {
    url = await postgres.createStoreDatabase();
    driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('100');
  });

  afterEach(async () => {
    await assertSoundBooks(driver.store);
    await driver.close();
  });

  it('charges each running request once when the server closes all connections', async () => {
    const serving = Promise.all(Array.from({ length: 60 }, (_, number) => driver.serve(number, anEnding(1))));
    for (let time = 0; time < 5; time += 1) await onDatabase(url, KILL_ALL);
    await serving;
    expect(await driver.balance()).toBe('40/0/40');
  });

  it('continues after a server crash without losing an acknowledged operation', async () => {
    await driver.serve(1, anEnding(10));
    const serving = Promise.all(Array.from({ length: 20 }, (_, number) => driver.serve(100 + number, anEnding(1))));
    await postgres.server().crash();
    await postgres.server().restart();
    await serving;
    expect(await driver.balance()).toBe('70/0/70');
  });

  it('executes all operations of a group except one that the database refuses', async () => {
    await onDatabase(url, `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused for a test'; end $$;
      create trigger refuse before insert on usage_records for each row when (new.request_id = 'req_7') execute function refuse()`);
    await Promise.all(Array.from({ length: 10 }, (_, number) => driver.reserve(number, '2')));
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, number) => driver.settle(number, anEnding(1))));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(outcomes[7]?.status).toBe('rejected');
    expect(await driver.balance()).toBe('91/2/89');
    expect(driver.heard.filter(({ kind }) => kind === 'settlement')).toHaveLength(9);
  });

  it('sweeps all reservations except one that the database refuses, and reports the failure', async () => {
    await onDatabase(url, `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused for a test'; end $$;
      create trigger refuse before insert on usage_records for each row when (new.request_id = 'req_7') execute function refuse()`);
    await Promise.all(Array.from({ length: 10 }, (_, number) => driver.reserve(number, '2', { owner: processNamed('dead') })));
    await expect(driver.store.ledger.sweep(STORE_NOON)).rejects.toThrow('refused for a test');
    expect(await driver.balance()).toBe('100/2/98');
    expect(driver.heard.filter(({ kind }) => kind === 'sweep')).toHaveLength(9);
  });
});
