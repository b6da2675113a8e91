import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor, later, ServiceTokens } from '@tollgate/core';
import { anAccount, anApiKey, STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import type { SqliteStore } from '../sqlite/open-sqlite-store.js';

const OPERATOR: Actor = { kind: 'operator', id: 'olga' };
const BY = { actor: OPERATOR, at: STORE_NOON };

describe('the audit trail', () => {
  let place: StoreFile;
  let store: SqliteStore;

  beforeEach(async () => {
    place = storeFile();
    store = await place.open();
    await store.accounts.create(anAccount({ createdAt: STORE_NOON }), OPERATOR);
  });

  afterEach(async () => {
    await store.close();
    place.remove();
  });

  function direct<T>(task: (connection: Database.Database) => T): T {
    const connection = new Database(place.file);
    try {
      return task(connection);
    } finally {
      connection.close();
    }
  }

  function actions(): readonly unknown[] {
    return direct((connection) => connection.prepare('SELECT action FROM audit_entries ORDER BY seq').pluck().all());
  }

  it('names every change with who made it, and no refused one', async () => {
    const key = anApiKey({ createdAt: STORE_NOON });
    await store.accounts.change(STORE_ALICE, { blocked: true }, BY);
    await store.accounts.change(STORE_ALICE, {}, BY);
    await store.accounts.create(anAccount(), OPERATOR);
    const credit = { accountId: STORE_ALICE, amount: ServiceTokens.parse('5'), reference: 'r', ...BY };
    for (let time = 0; time < 2; time += 1) await store.ledger.credit(credit);
    await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    const replacement = anApiKey({ id: 'key_2' as typeof key.id, hash: '1'.repeat(64) as typeof key.hash, createdAt: later(STORE_NOON, 1) });
    await store.keys.rotate({ accountId: STORE_ALICE, revokedId: key.id, replacement, actor: OPERATOR });
    await store.keys.setBlocked(STORE_ALICE, replacement.id, true, BY);
    for (let time = 0; time < 2; time += 1) await store.keys.revoke(STORE_ALICE, replacement.id, BY);
    await store.controls.blockNetwork('10.0.0.0/8', null, BY);
    expect(actions()).toEqual([
      'account.created', 'account.changed', 'account.credited', 'key.created', 'key.revoked', 'key.created', 'key.blocked', 'key.revoked', 'network.blocked',
    ]);
    expect(direct((connection) => connection.prepare('SELECT DISTINCT actor_kind, actor_id, at FROM audit_entries WHERE seq < 5').all()))
      .toEqual([{ actor_kind: 'operator', actor_id: 'olga', at: STORE_NOON }]);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 9, firstBrokenEntry: null });
  });

  it('keeps no key hash', async () => {
    await store.keys.create({ key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    const rows = direct((connection) => connection.prepare('SELECT * FROM audit_entries').all());
    expect(JSON.stringify(rows.map((row) => ({ ...Object(row), hash: '' })))).not.toContain(anApiKey().hash);
  });

  it('is written in the transaction of the change: neither without the other', async () => {
    direct((connection) => connection.exec("CREATE TRIGGER no_more BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'the trail is full'); END"));
    await expect(store.accounts.change(STORE_ALICE, { blocked: true }, BY)).rejects.toThrow('the trail is full');
    expect((await store.accounts.findById(STORE_ALICE))?.blocked).toBe(false);
  });

  it.each([
    ['changed', "UPDATE audit_entries SET action = 'platform.maintenance-on' WHERE seq = 3", 3],
    ['given another actor', "UPDATE audit_entries SET actor_id = 'otto' WHERE seq = 2", 2],
    ['removed from the middle', 'DELETE FROM audit_entries WHERE seq = 2', 2],
    ['removed from the beginning', 'DELETE FROM audit_entries WHERE seq = 1', 1],
    ['exchanged', 'UPDATE audit_entries SET seq = CASE seq WHEN 2 THEN -2 ELSE seq END; UPDATE audit_entries SET seq = 2 WHERE seq = 3; UPDATE audit_entries SET seq = 3 WHERE seq = -2', 2],
    ['put in', "UPDATE audit_entries SET seq = 5 WHERE seq = 4; INSERT INTO audit_entries SELECT 4, at, actor_kind, actor_id, action, subject, details, hash FROM audit_entries WHERE seq = 3", 4],
  ])('shows the first entry that was %s', async (_, statement, firstBrokenEntry) => {
    for (const state of ['on', 'off', 'on'] as const) await store.controls.setMaintenance(state, BY);
    direct((connection) => {
      connection.pragma('ignore_check_constraints = ON');
      connection.exec(`DROP TRIGGER audit_entries_no_update; DROP TRIGGER audit_entries_no_delete; ${statement}`);
    });
    expect((await store.auditTrail.verifyAuditTrail()).firstBrokenEntry).toBe(firstBrokenEntry);
  });

  it('follows a trail longer than one read', async () => {
    await Promise.all(Array.from({ length: 1500 }, (_, number) => store.controls.setMaintenance(number % 2 === 0 ? 'on' : 'off', BY)));
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 1501, firstBrokenEntry: null });
  });
});
