import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { CORRUPTIONS, CREDIT_CORRUPTIONS, type DamageableStore, DELETE_FIRST_EVENTS, oneOfEachKind, startWithCredits, startWithOneOfEachKind } from '@tollgate/sql-common/testing';
import { anEnding, MAINTENANCE, STORE_NOON, type StoreDriver } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew, openDamageable } = postgresFixture();

describe('the audit on PostgreSQL', () => {
  let store: SqlStore;
  let driver: StoreDriver;

  beforeEach(async () => {
    store = await openNew();
    driver = await startWithOneOfEachKind(() => store);
  });

  afterEach(() => driver.close());

  it('reports what it checked, and no difference in correct books', async () => {
    expect(await store.ledgerAudit.verify()).toEqual({ accounts: 2, entries: 5, usageRecords: 5, differences: [] });
  });

  it('checks one snapshot of the books while requests are served', async () => {
    await driver.credit('1000');
    const serving = Promise.all(Array.from({ length: 200 }, (_, number) => driver.serve(10 + number, anEnding(1))));
    for (let look = 0; look < 5; look += 1) {
      const { entries, usageRecords, differences } = await store.ledgerAudit.verify();
      expect([entries - usageRecords, differences]).toEqual([1, []]);
    }
    await serving;
  });
});

describe('the audit on PostgreSQL, after the rules of the schema were dropped', () => {
  let damageable: DamageableStore;
  let store: SqlStore;

  beforeEach(async () => {
    damageable = await openDamageable(oneOfEachKind);
    ({ store } = damageable);
  });

  afterEach(() => store.close());

  it.each(CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    await damageable.damage(statement);
    const { differences } = await store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
  });

  it.each([
    ['changed', "update audit_entries set action = 'platform.maintenance-on' where seq = 3", 3, 'altered'],
    ['removed', 'delete from audit_entries where seq = 3', 3, 'missing'],
    ['cut off', 'delete from audit_entries where seq > 20', 21, 'cut-off'],
  ])('reports the first entry of the audit log that was %s', async (_, statement, firstBrokenEntry, fault) => {
    const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
    await Promise.all(Array.from({ length: 20 }, (__, number) => store.controls.setMaintenance(number % 2 === 0 ? MAINTENANCE : null, by)));
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 23, firstBrokenEntry: null, fault: null });
    await damageable.damage(statement);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 23, firstBrokenEntry, fault });
  });
});

describe('the audit of payments, vouchers and events on PostgreSQL', () => {
  let damageable: DamageableStore;
  let store: SqlStore;

  beforeEach(async () => {
    damageable = await openDamageable(startWithCredits);
    ({ store } = damageable);
  });

  afterEach(() => store.close());

  it('reports no difference in correct books, even after the first events were deleted', async () => {
    expect(await store.ledgerAudit.verify()).toMatchObject({ entries: 15, differences: [] });
    for (const statement of DELETE_FIRST_EVENTS) await damageable.damage(statement);
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it.each(CREDIT_CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    await damageable.damage(statement);
    const { differences } = await store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
  });
});
