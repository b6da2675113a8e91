import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor, type AuditFault, later, ServiceTokens, SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import { auditHash, type AuditRow } from '@tollgate/sql-common';
import { anAccount, anApiKey, MAINTENANCE, STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { SqliteStore } from '../../src/open-sqlite-store.js';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const OPERATOR: Actor = { kind: 'operator', id: 'olga', origin: { place: 'command-line', user: 'root', address: null, via: null } };
const BY = { actor: OPERATOR, at: STORE_NOON };

describe('the audit log', () => {
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

  it('records every change with its actor, and no refused change', async () => {
    const key = anApiKey({ createdAt: STORE_NOON });
    await store.accounts.change(STORE_ALICE, { name: 'Another' }, BY);
    await store.accounts.change(STORE_ALICE, {}, BY);
    await store.accounts.create(anAccount(), OPERATOR);
    const credit = { accountId: STORE_ALICE, amount: ServiceTokens.parse('5'), reference: 'r', ...BY };
    for (let time = 0; time < 2; time += 1) await store.ledger.credit(credit);
    await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    const replacement = anApiKey({ id: 'key_2' as typeof key.id, hash: '1'.repeat(64) as typeof key.hash, createdAt: later(STORE_NOON, 1) });
    await store.keys.rotate({ accountId: STORE_ALICE, revokedId: key.id, replacement, maximumPerHour: 60, actor: OPERATOR });
    await store.keys.setBlocked(STORE_ALICE, replacement.id, true, BY);
    for (let time = 0; time < 2; time += 1) await store.keys.revoke(STORE_ALICE, replacement.id, BY);
    await store.controls.blockNetwork('10.0.0.0/8', UNTIL_UNBLOCKED, BY);
    expect(actions()).toEqual([
      'account.created', 'account.changed', 'account.credited', 'key.created', 'key.revoked', 'key.created', 'key.blocked', 'key.revoked', 'network.blocked',
    ]);
    expect(direct((connection) => connection.prepare('SELECT DISTINCT actor_kind, actor_id, at, origin FROM audit_entries WHERE seq < 5').all()))
      .toEqual([{ actor_kind: 'operator', actor_id: 'olga', at: STORE_NOON, origin: 'command-line' }]);
    expect(direct((connection) => connection.prepare("SELECT DISTINCT owner, text FROM audit_texts WHERE field = 'user'").all()))
      .toEqual([{ owner: 'olga', text: 'root' }]);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 9, firstBrokenEntry: null, fault: null });
  });

  it('contains no key hash', async () => {
    await store.keys.create({ key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: OPERATOR });
    const rows = direct((connection) => connection.prepare('SELECT * FROM audit_entries').all());
    expect(JSON.stringify(rows.map((row) => ({ ...Object(row), hash: '' })))).not.toContain(anApiKey().hash);
  });

  it('is written in the transaction of the change, which fails if the entry cannot be written', async () => {
    const before = await store.accounts.findById(STORE_ALICE);
    direct((connection) => connection.exec("CREATE TRIGGER no_more BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'the trail is full'); END"));
    await expect(store.accounts.change(STORE_ALICE, { name: 'Another' }, BY)).rejects.toThrow('the trail is full');
    expect(await store.accounts.findById(STORE_ALICE)).toEqual(before);
  });

  it('attributes automatic acts to the gateway', async () => {
    await store.controls.setMaintenance(MAINTENANCE, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    expect(direct((connection) => connection.prepare('SELECT origin FROM audit_entries WHERE seq = 2').all()))
      .toEqual([{ origin: 'gateway' }]);
  });

  async function writeFour(): Promise<void> {
    for (const maintenance of [MAINTENANCE, null, MAINTENANCE]) await store.controls.setMaintenance(maintenance, BY);
  }

  function tamper(statement: string): void {
    direct((connection) => {
      connection.pragma('ignore_check_constraints = ON');
      connection.exec(`DROP TRIGGER IF EXISTS audit_entries_no_update; DROP TRIGGER audit_entries_no_delete; ${statement}`);
    });
  }

  it.each<[string, string, number, AuditFault]>([
    ['changed', "UPDATE audit_entries SET action = 'platform.maintenance-on' WHERE seq = 3", 3, 'altered'],
    ['given another actor', "UPDATE audit_entries SET actor_id = 'otto' WHERE seq = 2", 2, 'altered'],
    ['given another origin', "UPDATE audit_entries SET origin = 'gateway' WHERE seq = 2", 2, 'altered'],
    ['given another machine', "UPDATE audit_entries SET via = 'machine:mach_1' WHERE seq = 2", 2, 'altered'],
    ['given another account', "UPDATE audit_entries SET account_id = 'acct_other' WHERE seq = 1", 1, 'altered'],
    ['given other hashes of its texts', "UPDATE audit_entries SET texts = '[]' WHERE seq = 2; DELETE FROM audit_texts WHERE entry = 2", 2, 'altered'],
    ['given another text', "UPDATE audit_texts SET text = 'otto' WHERE entry = 2", 2, 'altered'],
    ['given another salt', "UPDATE audit_texts SET salt = '00' WHERE entry = 3", 3, 'altered'],
    ['given the text of another person', "UPDATE audit_texts SET owner = 'otto' WHERE entry = 3", 3, 'altered'],
    ['given one more text', "INSERT INTO audit_texts VALUES (3, 'reason', 'olga', '', 'spite')", 3, 'altered'],
    ['given the text of another entry', 'DELETE FROM audit_texts WHERE entry = 2; UPDATE audit_texts SET entry = 2 WHERE entry = 3', 2, 'altered'],
    ['changed at the end', "UPDATE audit_entries SET subject = 'x' WHERE seq = 4", 4, 'altered'],
    ['removed from the middle', 'DELETE FROM audit_entries WHERE seq = 2', 2, 'missing'],
    ['removed from the beginning', 'DELETE FROM audit_entries WHERE seq = 1', 1, 'missing'],
    ['cut off', 'DELETE FROM audit_entries WHERE seq = 4', 4, 'cut-off'],
    ['cut off with others', 'DELETE FROM audit_entries WHERE seq >= 2', 2, 'cut-off'],
    ['cut off with all others', 'DELETE FROM audit_entries', 1, 'cut-off'],
    ['exchanged', 'UPDATE audit_entries SET seq = CASE seq WHEN 2 THEN -2 ELSE seq END; UPDATE audit_entries SET seq = 2 WHERE seq = 3; UPDATE audit_entries SET seq = 3 WHERE seq = -2', 2, 'altered'],
    ['inserted', "UPDATE audit_entries SET seq = 5 WHERE seq = 4; INSERT INTO audit_entries SELECT 4, at, actor_kind, actor_id, action, subject, details, hash, origin, account_id, texts, via FROM audit_entries WHERE seq = 3", 4, 'altered'],
  ])('reports the first entry that was %s', async (_, statement, firstBrokenEntry, fault) => {
    await writeFour();
    tamper(statement);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry, fault });
  });

  it('detects that the last entry was rewritten with a new hash', async () => {
    await writeFour();
    direct((connection) => {
      const rows = connection.prepare('SELECT * FROM audit_entries ORDER BY seq').safeIntegers().all() as readonly (AuditRow & { readonly hash: string })[];
      const last = { ...rows[3] as AuditRow, actor_id: 'otto' };
      connection.exec('DROP TRIGGER audit_entries_no_update');
      connection.prepare('UPDATE audit_entries SET actor_id = ?, hash = ? WHERE seq = 4').run('otto', auditHash(rows[2]?.hash ?? '', last));
    });
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry: 4, fault: 'altered' });
  });

  it('reports an added entry even if it has a matching hash', async () => {
    await writeFour();
    direct((connection) => {
      const rows = connection.prepare('SELECT * FROM audit_entries ORDER BY seq').safeIntegers().all() as readonly (AuditRow & { readonly hash: string })[];
      const added = { ...rows[3] as AuditRow, seq: 5n };
      const hash = auditHash(rows[3]?.hash ?? '', added);
      connection.prepare('INSERT INTO audit_entries SELECT 5, at, actor_kind, actor_id, action, subject, details, ?, origin, account_id, texts, via FROM audit_entries WHERE seq = 4').run(hash);
    });
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry: 5, fault: 'added' });
  });

  it('reports that entries at the end were removed, even after new entries', async () => {
    await writeFour();
    tamper('DELETE FROM audit_entries WHERE seq >= 3');
    await store.controls.setMaintenance(null, BY);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 5, firstBrokenEntry: 3, fault: 'missing' });
  });

  it('stays valid when personal texts are erased', async () => {
    await writeFour();
    direct((connection) => connection.exec('DELETE FROM audit_texts'));
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry: null, fault: null });
  });

  it('is verified completely even if it exceeds one read', async () => {
    await Promise.all(Array.from({ length: 1500 }, (_, number) => store.controls.setMaintenance(number % 2 === 0 ? MAINTENANCE : null, BY)));
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 1501, firstBrokenEntry: null, fault: null });
  });
});
