import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IN_MEMORY } from '@tollgate/sql-common';
import { openConnection } from './sqlite-connection.js';
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

  it('caches 8 MiB of a database file, or of a database in memory', () => {
    expect([place.file, IN_MEMORY].map(cacheMebibytes)).toEqual([8, 8]);
  });
});
