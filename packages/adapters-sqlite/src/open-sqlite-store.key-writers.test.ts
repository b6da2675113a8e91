import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProcessId } from '@tollgate/core';
import { createAtOnce, rotateAtOnce } from '@tollgate/sql-common/testing';
import { STORE_ALICE, StoreDriver } from '@tollgate/testkit';
import type { SqliteStore } from './open-sqlite-store.js';
import { storeFile, type StoreFile } from './test-support/stores.js';

describe('a gateway and the command line on one database file', () => {
  let place: StoreFile;
  let gateway: SqliteStore;
  let commandLine: SqliteStore;

  beforeEach(async () => {
    place = storeFile();
    gateway = await place.open();
    commandLine = await place.open('process_cli' as ProcessId);
    await StoreDriver.start(() => gateway);
  });

  afterEach(async () => {
    await commandLine.close();
    await gateway.close();
    place.remove();
  });

  it('create exactly one key in 100 concurrent creations if the account may have one more', async () => {
    expect(await createAtOnce([gateway, commandLine])).toEqual({ 'created': 1, 'quota-exceeded': 99 });
    expect(await gateway.keys.listByAccount(STORE_ALICE)).toHaveLength(5);
  });

  it('replace a key once in 100 concurrent rotations', async () => {
    expect(await rotateAtOnce([gateway, commandLine])).toEqual({ 'rotated': 1, 'not-active': 99 });
    expect(await gateway.keys.listByAccount(STORE_ALICE)).toHaveLength(2);
  });
});
