import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { later, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey, anEnding, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { storeFile, type StoreFile } from '../test-support/stores.js';

const KEY = anApiKey({ createdAt: STORE_NOON });

describe('the last use of a key', () => {
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

  it('is written at most once a minute', async () => {
    expect([await usedAfter(0), await usedAfter(59_999), await usedAfter(60_000)]).toEqual([0, 0, 60_000]);
  });

  it('is written even if the settlement was first rolled back with another one that failed', async () => {
    await driver.reserve(1, '0', { facts: { keyId: KEY.id, startedAt: STORE_NOON } });
    const outcomes = await Promise.allSettled([driver.settle(1, anEnding(0)), driver.settle(99, anEnding(0))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await driver.store.keys.findById(STORE_ALICE, KEY.id))?.lastUsedAt).toBe(STORE_NOON);
  });

  it('is still written once a minute after a restart', async () => {
    expect(await usedAfter(0)).toBe(0);
    await driver.close();
    driver = new StoreDriver(await place.open());
    expect(await usedAfter(30_000)).toBe(0);
    expect(await usedAfter(60_000)).toBe(60_000);
  });
});
