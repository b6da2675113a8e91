import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type ApiKeyId, later, NO_USAGE_FILTERS, type ProcessId, type UsageQuery } from '@tollgate/core';
import { FIRST_LEASE_MILLISECONDS } from '@tollgate/sql-common';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { anEnding, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { openSqliteStore } from './open-sqlite-store.js';
import { storeFile, type StoreFile, storeInMemory } from './test-support/stores.js';
import { UNDO_SINCE_INCIDENT_SETTINGS } from './test-support/undo-steps.js';

describe('openSqliteStore', () => {
  let place: StoreFile;

  beforeEach(() => {
    place = storeFile();
  });

  afterEach(() => {
    place.remove();
  });

  function open(file: string, onMigrated: (step: string) => void = () => undefined): ReturnType<typeof openSqliteStore> {
    return openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS, onMigrated });
  }

  it('creates the folder and the file, and says which schema steps it took', async () => {
    const file = join(dirname(place.file), 'new', 'folder', 'tollgate.db');
    const steps: string[] = [];
    const store = await open(file, (step) => steps.push(step));
    await store.close();
    expect(existsSync(file)).toBe(true);
    expect(steps).toEqual(['0001-initial', '0003-idempotency', '0004-fewer-usage-indexes', '0005-checks-without-lists', '0005-withheld-reasoning', '0006a-incident-limit-settings', '0006b-audit-anchor', '0008-mail-outbox', '0009-installation', '0010-account-deletion', '0011a-key-models', '0011b-key-limits', '0012-people', '0013-audit-texts', '0014-second-factors', '0015-sign-in-methods', '0016-usage-of-all-accounts', '0017-operator-controls', '0019-operator-lookups', '0020-usage-totals', '0021-usage-settlements', '0022-signup-credits', '0023-playground-keys', '0024a-unverified-people', '0024b-suspension-reasons', '0025-plain-checks', '0026-stored-responses', '0027-places-of-responses', '0027a-lease-renewals', '0027b-purchases', '0028a-failures', '0028b-stranger-attempts', '0029a-signup-credit-networks', '0029b-mail-ranks', '0036a-omitted-settings']);
  });

  it('takes no step twice and keeps what is there', async () => {
    const first = await StoreDriver.start(() => place.open());
    await first.credit('12');
    await first.close();
    const steps: string[] = [];
    const again = await open(place.file, (step) => steps.push(step));
    expect(steps).toEqual([]);
    expect(await new StoreDriver(again).balance()).toBe('12/0/12');
    await again.close();
  });

  it('takes the indexes by model and key from an older database, and finds all of its records without them', async () => {
    const first = await StoreDriver.start(() => place.open());
    await first.credit('12');
    for (const [number, keyId] of ['key_1', 'key_2', 'key_1'].entries()) await first.serve(number, anEnding(1), { keyId: keyId as ApiKeyId });
    await first.close();
    const direct = new Database(place.file);
    direct.exec(`${UNDO_SINCE_INCIDENT_SETTINGS}
      DELETE FROM schema_migrations WHERE name >= '0004-fewer-usage-indexes';
      ALTER TABLE usage_records DROP COLUMN reasoning_withheld;
      ALTER TABLE late_settlements DROP COLUMN reasoning_withheld;
      CREATE INDEX usage_records_by_model ON usage_records (account_id, served_by, ended_at, seq) WHERE served_by IS NOT NULL;
      CREATE INDEX usage_records_by_key ON usage_records (account_id, key_id, ended_at, seq) WHERE key_id IS NOT NULL`);
    direct.close();
    const steps: string[] = [];
    const again = await open(place.file, (step) => steps.push(step));
    const query: UsageQuery = { ...NO_USAGE_FILTERS, accountId: STORE_ALICE, keyId: 'key_1' as ApiKeyId, limit: 10, cursor: null };
    expect(steps).toEqual(['0004-fewer-usage-indexes', '0005-checks-without-lists', '0005-withheld-reasoning', '0006a-incident-limit-settings', '0006b-audit-anchor', '0008-mail-outbox', '0009-installation', '0010-account-deletion', '0011a-key-models', '0011b-key-limits', '0012-people', '0013-audit-texts', '0014-second-factors', '0015-sign-in-methods', '0016-usage-of-all-accounts', '0017-operator-controls', '0019-operator-lookups', '0020-usage-totals', '0021-usage-settlements', '0022-signup-credits', '0023-playground-keys', '0024a-unverified-people', '0024b-suspension-reasons', '0025-plain-checks', '0026-stored-responses', '0027-places-of-responses', '0027a-lease-renewals', '0027b-purchases', '0028a-failures', '0028b-stranger-attempts', '0029a-signup-credit-networks', '0029b-mail-ranks', '0036a-omitted-settings']);
    expect((await again.usage.list(query))?.records.map(({ keyId }) => keyId)).toEqual(['key_1', 'key_1']);
    expect(await again.ledgerAudit.verify()).toMatchObject({ usageRecords: 3, differences: [] });
    await again.close();
    const after = new Database(place.file);
    expect(after.prepare("SELECT name FROM sqlite_master WHERE tbl_name = 'usage_records' AND type = 'index' AND sql IS NOT NULL ORDER BY name").pluck().all())
      .toEqual(['usage_records_by_end', 'usage_records_by_time', 'usage_records_by_user']);
    after.close();
  });

  it('lets several open a new file at once', async () => {
    const stores = await Promise.all(['a', 'b', 'c'].map((name) => place.open(`process_${name}` as ProcessId)));
    expect(await Promise.all(stores.map((store) => store.ledger.balanceOf(STORE_ALICE)))).toEqual([null, null, null]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('refuses a database that a newer program wrote, and says so', async () => {
    await (await place.open()).close();
    const direct = new Database(place.file);
    direct.exec("INSERT INTO schema_migrations VALUES ('9999-from-the-future', '')");
    direct.close();
    await expect(place.open()).rejects.toThrow('the database was written by a newer version of Tollgate (it has 9999-from-the-future)');
  });

  it('takes all of a schema step or none of it', async () => {
    const direct = new Database(place.file);
    direct.exec('CREATE TABLE usage_daily (something_else INTEGER)');
    direct.close();
    await expect(place.open()).rejects.toThrow('usage_daily');
    const after = new Database(place.file);
    expect(after.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'accounts'").pluck().get()).toBe(0);
    after.close();
  });

  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['something that is no database', (file: string) => writeFileSync(file, 'hello, this is not a database file at all'.repeat(100))],
  ])('says which file it cannot open when it is %s', async (_, prepare) => {
    prepare(place.file);
    await expect(place.open()).rejects.toThrow(`cannot open the database file ${place.file}: `);
  });

  it('makes every answered transaction survive a loss of power', async () => {
    const store = await place.open();
    const direct = new Database(place.file);
    expect(direct.pragma('journal_mode', { simple: true })).toBe('wal');
    direct.close();
    await store.close();
  });

  it('counts its own process as alive from the start', async () => {
    const store = await place.open();
    const other = await place.open('process_other' as ProcessId);
    const driver = await StoreDriver.start(() => store);
    await driver.credit('10');
    await driver.reserve(1, '5', { owner: STORE_PROCESS });
    expect(await other.ledger.sweep(later(STORE_NOON, FIRST_LEASE_MILLISECONDS - 1))).toBe(0);
    expect(await other.ledger.sweep(later(STORE_NOON, FIRST_LEASE_MILLISECONDS))).toBe(1);
    await other.close();
    await store.close();
  });

  it('keeps a database in memory apart from every other', async () => {
    const [first, second] = [await StoreDriver.start(storeInMemory), await StoreDriver.start(storeInMemory)];
    await first.credit('5');
    expect(await second.balance()).toBe('0/0/0');
    await Promise.all([first.close(), second.close()]);
  });

  it('finishes every started operation before it closes', async () => {
    const driver = await StoreDriver.start(() => place.open());
    await driver.credit('10');
    const reserving = driver.reserve(1, '4');
    await Promise.all([reserving, driver.close()]);
    const again = await place.open();
    expect(await new StoreDriver(again).balance()).toBe('10/4/6');
    await again.close();
  });
});
