import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IN_MEMORY } from '@tollgate/sql-common';
import { openConnection, openCopyInMemory } from './sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';

describe('openConnection', () => {
  let place: StoreFile;

  beforeEach(() => {
    place = storeFile();
  });

  afterEach(() => {
    place.remove();
  });

  function cacheMebibytes(file: string): number {
    const connection = openConnection(file);
    const size = Number(connection.pragma('cache_size', { simple: true }));
    connection.close();
    return -size / 1024;
  }

  it('caches at most 8 MiB of a database file, or of a database in memory', () => {
    expect([place.file, IN_MEMORY].map(cacheMebibytes)).toEqual([8, 8]);
  });
});

describe('openCopyInMemory', () => {
  it('copies the contents and settings of the original; a write changes neither the original nor other copies', () => {
    const original = openConnection(IN_MEMORY);
    original.exec('create table notes (text text) strict');
    const contents = original.serialize();
    const [copy, other] = [openCopyInMemory(contents), openCopyInMemory(contents)];
    copy.exec("insert into notes values ('written')");
    const all = [copy, other, original];
    expect(all.map((connection) => connection.prepare('select count(*) from notes').pluck().get())).toEqual([1n, 0n, 0n]);
    for (const setting of ['foreign_keys', 'cache_size', 'synchronous', 'journal_mode']) expect(copy.pragma(setting)).toEqual(original.pragma(setting));
    expect(copy.name).toBe(IN_MEMORY);
    for (const connection of all) connection.close();
  });
});
