import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { CORRUPTIONS, CREDIT_CORRUPTIONS, DELETE_FIRST_EVENTS, startWithCredits, startWithOneOfEachKind } from '@tollgate/sql-common/testing';
import { anEnding, MAINTENANCE, STORE_NOON, type StoreDriver } from '@tollgate/testkit';
import { onDatabase, postgresFixture, WITHOUT_RULES } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

describe('the audit on PostgreSQL', () => {
  let url: string;
  let store: SqlStore;
  let driver: StoreDriver;

  beforeEach(async () => {
    url = await postgres.createStoreDatabase();
    store = await postgres.open(url);
    driver = await startWithOneOfEachKind(() => store);
  });

  afterEach(() => driver.close());

  it('reports no difference in correct books, and what it checked', async () => {
    expect(await store.ledgerAudit.verify()).toEqual({ accounts: 2, entries: 5, usageRecords: 5, differences: [] });
  });

  it.each(CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    await onDatabase(url, ...WITHOUT_RULES, statement);
    const { differences } = await store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
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

  it.each([
    ['changed', "update audit_entries set action = 'platform.maintenance-on' where seq = 3", 3, 'altered'],
    ['removed', 'delete from audit_entries where seq = 3', 3, 'missing'],
    ['cut off', 'delete from audit_entries where seq > 20', 21, 'cut-off'],
  ])('reports the first entry of the trail that was %s', async (_, statement, firstBrokenEntry, fault) => {
    const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
    await Promise.all(Array.from({ length: 20 }, (__, number) => store.controls.setMaintenance(number % 2 === 0 ? MAINTENANCE : null, by)));
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 23, firstBrokenEntry: null, fault: null });
    await onDatabase(url, 'set session_replication_role = replica', statement);
    expect(await store.auditTrail.verifyAuditTrail()).toEqual({ entries: 23, firstBrokenEntry, fault });
  });
});

describe('the audit on PostgreSQL, of payments, vouchers and events', () => {
  let url: string;
  let store: SqlStore;

  beforeEach(async () => {
    url = await postgres.createStoreDatabase();
    store = await postgres.open(url);
    await startWithCredits(store);
  });

  afterEach(() => store.close());

  it('reports no difference in correct books, also after the first events were deleted', async () => {
    expect(await store.ledgerAudit.verify()).toMatchObject({ entries: 15, differences: [] });
    await onDatabase(url, ...DELETE_FIRST_EVENTS);
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it.each(CREDIT_CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    await onDatabase(url, ...WITHOUT_RULES, statement);
    const { differences } = await store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
  });
});
