import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiKeyId, later, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey, anEnding, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { KeyUseBuffer } from './reservation-cache.js';

const KEY = anApiKey({ createdAt: STORE_NOON });

describe('KeyUseBuffer', () => {
  it('covers a use within a minute of the one noted, of the same key', () => {
    const uses = new KeyUseBuffer();
    expect(uses.covers(KEY.id, STORE_NOON)).toBe(false);
    uses.note(KEY.id, STORE_NOON);
    expect([0, 59_999, 60_000, -1].map((after) => uses.covers(KEY.id, later(STORE_NOON, after)))).toEqual([true, true, false, true]);
    expect(uses.covers('key_other' as ApiKeyId, STORE_NOON)).toBe(false);
  });
});

describe('the date of last use that a gateway keeps', () => {
  let place: StoreFile;
  let driver: StoreDriver;

  beforeEach(async () => {
    place = storeFile();
    driver = await StoreDriver.start(() => place.open());
    await driver.store.keys.create({ key: KEY, maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  let served = 0;

  async function usedAfter(milliseconds: number): Promise<number | null> {
    served += 1;
    await driver.serve(served, anEnding(0), { keyId: KEY.id, startedAt: later(STORE_NOON, milliseconds) });
    const key = await driver.store.keys.findById(STORE_ALICE, KEY.id);
    return key === null || key.lastUsedAt === null ? null : key.lastUsedAt - STORE_NOON;
  }

  it('is asked for once a minute', async () => {
    expect(await usedAfter(0)).toBe(0);
    const direct = new Database(place.file);
    direct.exec('UPDATE api_keys SET last_used_at = NULL');
    direct.close();
    expect(await usedAfter(59_999)).toBeNull();
    expect(await usedAfter(60_000)).toBe(60_000);
  });

  it('is kept though the settlement was undone at first, with one beside it', async () => {
    await driver.reserve(1, '0', { facts: { keyId: KEY.id, startedAt: STORE_NOON } });
    const outcomes = await Promise.allSettled([driver.settle(1, anEnding(0)), driver.settle(99, anEnding(0))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await driver.store.keys.findById(STORE_ALICE, KEY.id))?.lastUsedAt).toBe(STORE_NOON);
  });

  it('is never more than a minute old after a restart either', async () => {
    expect(await usedAfter(0)).toBe(0);
    await driver.close();
    driver = new StoreDriver(await place.open());
    expect(await usedAfter(30_000)).toBe(0);
    expect(await usedAfter(60_000)).toBe(60_000);
  });
});
