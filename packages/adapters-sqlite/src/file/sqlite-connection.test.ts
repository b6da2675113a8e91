import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IN_MEMORY } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { openConnection } from './sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';

const PAGE_BYTES = 4096;
const GIBIBYTE = 1_073_741_824;
/** Where a database file tells how many pages it has (https://sqlite.org/fileformat.html, "The database header"). */
const PAGE_COUNT_OFFSET = 28;

describe('openConnection', () => {
  let place: StoreFile;

  beforeEach(() => {
    place = storeFile();
  });

  afterEach(() => {
    place.remove();
  });

  /** A file that has as many pages as that, of which all but the first are holes. */
  function makeFile(pages: number): void {
    const database = new Database(place.file);
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.exec('VACUUM; PRAGMA user_version = 1');
    database.close();
    const descriptor = openSync(place.file, 'r+');
    const count = Buffer.alloc(4);
    count.writeUInt32BE(pages);
    writeSync(descriptor, count, 0, count.length, PAGE_COUNT_OFFSET);
    ftruncateSync(descriptor, pages * PAGE_BYTES);
    closeSync(descriptor);
  }

  function cacheMebibytes(file: string): number {
    const connection = openConnection(file);
    const size = Number(connection.pragma('cache_size', { simple: true }));
    connection.close();
    return -size / 1024;
  }

  it.each([
    [8, 'a file shorter than a gibibyte', GIBIBYTE - PAGE_BYTES],
    [128, 'a file of a gibibyte', GIBIBYTE],
  ])('keeps %i MiB of %s in memory', (mebibytes, _, bytes) => {
    makeFile(bytes / PAGE_BYTES);
    expect(cacheMebibytes(place.file)).toBe(mebibytes);
  });

  it('keeps little of one that is not there yet', () => {
    expect([place.file, IN_MEMORY].map(cacheMebibytes)).toEqual([8, 8]);
  });
});
