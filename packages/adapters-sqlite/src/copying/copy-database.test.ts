import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CopyProgress } from '@tollgate/sql-common';
import { anEnding, StoreDriver } from '@tollgate/testkit';
import type { SqliteStore } from '../open-sqlite-store.js';
import { type StoreFile, storeFile } from '../test-support/stores.js';
import { copyDatabase } from './copy-database.js';
import { openSqliteReader } from './open-sqlite-reader.js';

let place: StoreFile;
let store: SqliteStore;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  store = await place.open();
  driver = await StoreDriver.start(() => store);
  await driver.credit('100000');
});

afterEach(async () => {
  await store.close();
  place.remove();
});

describe('copyDatabase', () => {
  it('copies one snapshot while requests are served, to a file that only its owner can read', async () => {
    const target = join(place.file, '..', 'copy.db');
    const seen: CopyProgress[] = [];
    const copied = new AbortController();
    const copying = copyDatabase(place.file, target, (progress) => seen.push(progress)).finally(() => copied.abort());
    let served = 0;
    while (!copied.signal.aborted) {
      served += 1;
      await driver.serve(served, anEnding(1));
    }
    await copying;
    expect(served).toBeGreaterThan(1);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const reader = openSqliteReader(target);
    const { usageRecords, differences } = await reader.ledgerAudit.verify();
    expect([differences, await reader.damage()]).toEqual([[], []]);
    expect(usageRecords).toBeLessThanOrEqual(served);
    await reader.close();
    expect(readdirSync(join(place.file, '..')).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
  });

  it('overwrites no file, and creates none if there is no database', async () => {
    const target = join(place.file, '..', 'copy.db');
    writeFileSync(target, 'mine');
    await expect(copyDatabase(place.file, target, () => undefined)).rejects.toThrow('EEXIST');
    expect(statSync(target).size).toBe(4);
    await expect(copyDatabase(`${place.file}.none`, `${target}.2`, () => undefined)).rejects.toThrow('no database');
    expect(readdirSync(join(place.file, '..'))).not.toContain('copy.db.2');
  });

  it('fails with the system’s error if the folder of the copy does not exist', async () => {
    await expect(copyDatabase(place.file, join(place.file, '..', 'none', 'copy.db'), () => undefined)).rejects.toThrow('ENOENT');
  });
});
