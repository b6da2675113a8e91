import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type Change, type ModelSlug, type PlanId, SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { anAccount, anApiKey, anEnding, changeStanding, MAINTENANCE, STORE_ALICE, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { Client } from 'pg';
import { onDatabase, postgresFixture, processNamed } from '../test-support/postgres-stores.js';
import { decodeChange, encodeChange } from './change-message.js';

const SWITCHED_ON = '{"startsAt":0,"endsAt":null,"message":null,"setBy":null,"setAt":0}';
const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const KEY = anApiKey();
const INCIDENT = { model: 'small' as ModelSlug, setAt: STORE_NOON, requestsPerMinute: 1, tokensPerMinute: null, concurrentRequests: null, expiresAt: null };
const postgres = postgresFixture();

async function stateOf({ keys }: SqlStore): Promise<string> {
  const holder = await keys.findByHash(KEY.hash);
  if (holder === null) return 'gone';
  if (holder.key.revokedAt !== null) return `revoked at ${holder.key.revokedAt}`;
  return holder.key.blocked ? 'blocked' : holder.account.status;
}

describe('in a database that gateways share, changes', () => {
  let url: string;
  let gateway: SqlStore;
  let other: SqlStore;

  beforeEach(async () => {
    url = await postgres.createStoreDatabase();
    [gateway, other] = [await postgres.open(url), await postgres.open(url, { processId: processNamed('other') })];
    await gateway.accounts.create(anAccount(), SYSTEM_ACTOR);
    await gateway.keys.create({ key: KEY, maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    // The other gateway now caches the key that the tests change.
    await stateOf(other);
  });

  afterEach(async () => {
    await Promise.all([gateway.close(), other.close()]);
  });

  it.each([
    ['the account of a key is suspended', (store: SqlStore) => changeStanding(store.accounts, STORE_ALICE, { status: 'suspended' }, BY), 'suspended'],
    ['a key is blocked', (store: SqlStore) => store.keys.setBlocked(STORE_ALICE, KEY.id, true, BY), 'blocked'],
    ['a key is revoked', (store: SqlStore) => store.keys.revoke(STORE_ALICE, KEY.id, BY), `revoked at ${STORE_NOON}`],
    ['an SQL statement revokes a key', () => onDatabase(url, 'update api_keys set revoked_at = 7'), 'revoked at 7'],
    ['an SQL statement removes a key', () => onDatabase(url, 'delete from api_keys'), 'gone'],
  ])('reach another gateway within a second: %s', async (_, change, expected) => {
    await change(gateway);
    const changed = performance.now();
    await until(async () => await stateOf(other) === expected);
    expect(performance.now() - changed).toBeLessThan(1000);
  });

  it('of operators’ settings apply on every gateway', async () => {
    await gateway.controls.setMaintenance(MAINTENANCE, BY);
    await gateway.controls.blockNetwork('10.0.0.0/8', UNTIL_UNBLOCKED, BY);
    await gateway.controls.setIncidentLimit(INCIDENT, BY);
    const seen = (): unknown => {
      const snapshot = other.platform.current();
      return [snapshot.maintenance !== null, snapshot.incidentLimits.size, snapshot.isNetworkBlocked('10.1.2.3', STORE_NOON)].join();
    };
    await until(() => seen() === 'true,1,true');
    await gateway.controls.unblockNetwork('10.0.0.0/8', BY);
    await until(() => seen() === 'true,1,false');
    expect(seen()).toBe('true,1,false');
  });

  it('reach a gateway after it has reconnected, including changes made while it was disconnected', async () => {
    await onDatabase(url, `begin; select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen tollgate_changes';
      update api_keys set revoked_at = 8; insert into platform_settings values ('maintenance', '${SWITCHED_ON}'); commit`);
    await until(async () => await stateOf(other) === 'revoked at 8');
    await until(() => other.platform.current().maintenance !== null);
    await onDatabase(url, 'update api_keys set revoked_at = 9');
    await until(async () => await stateOf(other) === 'revoked at 9');
    expect(other.platform.current().maintenance).not.toBeNull();
  });

  it('made by served requests are not announced to other gateways', async () => {
    const driver = new StoreDriver(gateway);
    await driver.credit('100');
    const listener = new Client({ connectionString: url }).on('error', () => undefined);
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.connect();
    await listener.query('listen tollgate_changes');
    for (let number = 0; number < 5; number += 1) await driver.serve(number, anEnding(1), { keyId: KEY.id });
    await onDatabase(url, "select pg_notify('tollgate_changes', 'end')");
    await until(() => heard.includes('end'));
    await listener.end();
    expect(heard).toEqual(['end']);
  });

  it('of a key take effect after at most four seconds if the notification is lost', async () => {
    const clock = new ManualClock(STORE_NOON);
    const store = await postgres.open(url, { clock, processId: processNamed('deaf') });
    expect(await stateOf(store)).toBe('active');
    await onDatabase(url, 'alter table api_keys disable trigger user; update api_keys set revoked_at = 7');
    clock.advance(3_999);
    expect(await stateOf(store)).toBe('active');
    clock.advance(1);
    expect(await stateOf(store)).toBe('revoked at 7');
    await store.close();
  });

  it('of a setting take effect after at most four seconds if the notification is lost', async () => {
    const clock = new ManualClock(STORE_NOON);
    const store = await postgres.open(url, { clock, processId: processNamed('deaf') });
    await onDatabase(url, `alter table platform_settings disable trigger user; insert into platform_settings values ('maintenance', '${SWITCHED_ON}')`);
    expect(store.platform.current().maintenance).toBeNull();
    clock.advance(4_000);
    await until(() => store.platform.current().maintenance !== null);
    await store.close();
  });
});

describe('messages of the change channel', () => {
  it.each<[string, Change]>([
    ['platform', { kind: 'platform', id: null }],
    ['key:key_1', { kind: 'key', id: KEY.id }],
    ['plan:pro', { kind: 'plan', id: 'pro' as PlanId }],
    ['account:acct:with:colons', { kind: 'account', id: 'acct:with:colons' as typeof STORE_ALICE }],
  ])('are written and parsed as %j', (message, change) => {
    expect([encodeChange(change), decodeChange(message)]).toEqual([message, change]);
  });

  it.each(['weather:sunny', 'key:', '', 'account', ':'])('are rejected if malformed: %j', (message) => {
    expect(decodeChange(message)).toBeNull();
  });
});
