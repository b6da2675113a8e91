import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKeyId, ModelSlug, UsagePage, UsageQuery } from '@tollgate/core';
import { anEnding, STORE_ALICE, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../test-support/stores.js';

const FILTERS: UsageQuery = {
  accountId: STORE_ALICE, from: null, to: null, model: 'small' as ModelSlug, keyId: 'key_rare' as ApiKeyId, attribution: 'ann', limit: 2, cursor: null,
};

/** Copies the one record, as many times, each a millisecond older; every `rareEvery`-th with a key that the others do not have. */
function copyRecord(file: string, times: number, rareEvery: number): void {
  const direct = new Database(file);
  direct.pragma('foreign_keys = OFF');
  const columns = (direct.pragma('table_info(usage_records)') as readonly { readonly name: string }[]).map(({ name }) => name).filter((name) => name !== 'seq');
  const changed: Readonly<Record<string, string>> = {
    request_id: `'req_copy_' || n`, reservation_id: `'rsv_copy_' || n`, ended_at: 'ended_at - n', key_id: `CASE WHEN n % ${rareEvery} = 0 THEN 'key_rare' ELSE 'key_often' END`,
  };
  direct.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
    INSERT INTO usage_records (${columns.join(', ')}) SELECT ${columns.map((name) => changed[name] ?? name).join(', ')} FROM usage_records, numbers`);
  direct.close();
}

describe('a page of records that several filters apply to', () => {
  let place: StoreFile;
  let driver: StoreDriver;

  beforeEach(async () => {
    place = storeFile();
    driver = await StoreDriver.start(() => place.open());
    await driver.credit('10');
    await driver.serve(1, anEnding(1), { attribution: 'ann' });
    copyRecord(place.file, 4_500, 1_500);
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  it('looks through a bounded number of records, and the pages together miss none', async () => {
    const pages: (readonly string[])[] = [];
    let cursor: string | null = null;
    do {
      const page: UsagePage | null = await driver.store.usage.list({ ...FILTERS, cursor });
      pages.push((page?.records ?? []).map(({ requestId }) => requestId));
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    expect(pages).toEqual([['req_copy_1500'], ['req_copy_3000'], ['req_copy_4500']]);
  });

  it('is filled where enough match, and has no next one where all were looked at', async () => {
    const often = await driver.store.usage.list({ ...FILTERS, keyId: 'key_often' as ApiKeyId });
    expect(often?.records).toHaveLength(2);
    expect(often?.nextCursor).not.toBeNull();
    const last = await driver.store.usage.list({ ...FILTERS, attribution: 'nobody' });
    expect(last).toEqual({ records: [], nextCursor: null });
  });
});
