import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, MissingDatabaseError, NewerDatabaseError, OlderDatabaseError, UnreleasedDatabaseError } from '@tollgate/sql-common';
import { anEnding, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { SqliteStore } from '../open-sqlite-store.js';
import { damageSqliteFile, type StoreFile, storeFile } from '../test-support/stores.js';
import { openSqliteReader } from './open-sqlite-reader.js';

let place: StoreFile;
let store: SqliteStore;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  store = await place.open();
  driver = await StoreDriver.start(() => store);
  await driver.credit('100');
  await driver.serve(1, anEnding(7));
});

afterEach(async () => {
  await store.close();
  place.remove();
});

/** Contents of a folder's files in base64, by name. */
function contentsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

function copyOf(endings: readonly string[]): string {
  const folder = join(place.file, '..', 'copies');
  mkdirSync(folder);
  const copy = join(folder, 'copy.db');
  for (const ending of endings) if (existsSync(`${place.file}${ending}`)) cpSync(`${place.file}${ending}`, `${copy}${ending}`);
  return copy;
}

describe('openSqliteReader', () => {
  it('reads the newest state while a gateway writes', async () => {
    const reader = openSqliteReader(place.file);
    expect(await reader.ledgerAudit.verify()).toMatchObject({ usageRecords: 1, differences: [] });
    await driver.serve(2, anEnding(1));
    expect(await reader.ledgerAudit.verify()).toMatchObject({ usageRecords: 2, differences: [] });
    expect(await reader.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
    expect((await reader.books.find('req_1'))?.record?.charge.amount.toString()).toBe('7');
    expect(await reader.damage()).toEqual([]);
    await reader.close();
  });

  it.each([
    ['with its log beside it', ['', '-wal'], 1],
    ['with its log and the index of the log', ['', '-wal', '-shm'], 1],
  ])('reads a copy %s without changing its folder', async (_, endings, usageRecords) => {
    const copy = copyOf(endings);
    const [folder, files] = [join(copy, '..'), contentsOf(join(copy, '..'))];
    for (const name of files.keys()) chmodSync(join(folder, name), 0o400);
    chmodSync(folder, 0o500);
    const reader = openSqliteReader(copy);
    expect(await reader.ledgerAudit.verify()).toMatchObject({ usageRecords, differences: [] });
    await reader.close();
    const after = contentsOf(folder);
    expect([...after.keys()]).toEqual([...files.keys()]);
    for (const name of ['copy.db', 'copy.db-wal']) expect(after.get(name)).toBe(files.get(name));
  });

  it('reads a copy that has no write-ahead log, and creates none', async () => {
    await store.close();
    const copy = copyOf(['']);
    const reader = openSqliteReader(copy);
    expect(await reader.ledgerAudit.verify()).toMatchObject({ usageRecords: 1, differences: [] });
    await reader.close();
    expect(readdirSync(join(copy, '..'))).toEqual(['copy.db']);
    store = await place.open();
  });

  it('reports differences in the books', async () => {
    damageSqliteFile(place.file, "UPDATE usage_records SET visible_output_tokens = 8 WHERE request_id = 'req_1'");
    const reader = openSqliteReader(place.file);
    expect((await reader.ledgerAudit.verify()).differences).not.toEqual([]);
    await reader.close();
  });

  it('reports why a file cannot be read', () => {
    const other = (name: string, contents: string): string => {
      const file = join(place.file, '..', name);
      writeFileSync(file, contents);
      return file;
    };
    expect(() => openSqliteReader(`${place.file}.none`)).toThrow(MissingDatabaseError);
    expect(() => openSqliteReader(other('empty', ''))).toThrow(MissingDatabaseError);
    expect(() => openSqliteReader(other('text', 'no database '.repeat(1000)))).toThrow(DatabaseUnavailableError);
    const direct = new Database(place.file);
    direct.exec("INSERT INTO schema_migrations VALUES ('9999-from-the-future', '')");
    expect(() => openSqliteReader(place.file)).toThrow(NewerDatabaseError);
    direct.exec("DELETE FROM schema_migrations WHERE name = '9999-from-the-future' OR name = '0001-baseline'");
    expect(() => openSqliteReader(place.file)).toThrow(OlderDatabaseError);
    direct.exec("INSERT INTO schema_migrations VALUES ('0001-initial', '')");
    expect(() => openSqliteReader(place.file)).toThrow(UnreleasedDatabaseError);
    direct.close();
  });
});
