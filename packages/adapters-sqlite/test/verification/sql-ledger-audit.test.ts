import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CORRUPTIONS, CREDIT_CORRUPTIONS, DELETE_FIRST_EVENTS, startWithCredits, startWithOneOfEachKind } from '@tollgate/sql-common/testing';
import { anEnding, type StoreDriver } from '@tollgate/testkit';
import { damageSqliteFile, storeFile, type StoreFile } from '../../src/test-support/stores.js';

describe('SqlLedgerAudit', () => {
  let place: StoreFile;
  let driver: StoreDriver;

  beforeEach(async () => {
    place = storeFile();
    driver = await startWithOneOfEachKind(() => place.open());
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  function corrupt(statements: string): void {
    damageSqliteFile(place.file, statements);
  }

  it('reports what it checked, and no difference in correct books', async () => {
    expect(await driver.store.ledgerAudit.verify()).toEqual({ accounts: 2, entries: 5, usageRecords: 5, differences: [] });
  });

  it.each(CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    corrupt(statement);
    const { differences } = await driver.store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
  });

  it('checks one snapshot of the books while requests are served', async () => {
    const withThread = await place.openWithThread();
    await driver.credit('1000');
    const serving = (async () => {
      for (let number = 10; number < 210; number += 1) await driver.serve(number, anEnding(1));
    })();
    const seen = new Set<number>();
    for (let look = 0; look < 5; look += 1) {
      const { entries, usageRecords, differences } = await withThread.ledgerAudit.verify();
      seen.add(entries - usageRecords);
      expect(differences).toEqual([]);
    }
    await serving;
    expect([...seen]).toEqual([1]);
    await withThread.close();
  });

  it('names the account that a difference concerns', async () => {
    corrupt("UPDATE accounts SET balance = balance + 1 WHERE id = 'acct_bob'");
    const { differences } = await driver.store.ledgerAudit.verify();
    expect(differences).toContainEqual({ invariant: 'I3', accountId: 'acct_bob', expected: '0', found: '0.000001' });
  });

  it('reports a bounded number of differences even if there are more', async () => {
    corrupt(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO accounts (id, email, email_folded, name, plan_id, status, email_verified, blocked, created_at, updated_at, balance, reserved)
      SELECT 'acct_' || i, 'e' || i, 'e' || i, '', '', 'active', 1, 0, 0, 0, 1, 0 FROM n`);
    const { differences } = await driver.store.ledgerAudit.verify();
    expect(differences.filter(({ invariant }) => invariant === 'I3')).toHaveLength(100);
  });
});

describe('SqlLedgerAudit of payments, vouchers and events', () => {
  let place: StoreFile;
  let driver: StoreDriver;

  beforeEach(async () => {
    place = storeFile();
    driver = await startWithCredits(await place.open());
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  it('reports no difference in correct books, even after the first events were deleted', async () => {
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ entries: 15, differences: [] });
    damageSqliteFile(place.file, DELETE_FIRST_EVENTS.join(';'));
    expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it.each(CREDIT_CORRUPTIONS)('reports %s', async (_, invariant, statement, expected, found) => {
    damageSqliteFile(place.file, statement);
    const { differences } = await driver.store.ledgerAudit.verify();
    expect(differences.map((difference) => [difference.invariant, difference.expected, difference.found])).toContainEqual([invariant, expected, found]);
  });
});
