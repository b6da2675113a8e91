import { expect, it } from '@jest/globals';
import { type ApiKey, later, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey } from '../../builders/an-account.js';
import { anEnding } from '../../builders/an-ending.js';
import { STORE_ALICE, STORE_NOON } from '../store-subject.js';
import type { Start } from './start-ledger.js';

/** What settling a request tells of the key that it came with. */
export function lastUseContract(start: Start): void {
  it('notes the last use of a key to the minute', async () => {
    const driver = await start();
    const { keys } = driver.store;
    const key = anApiKey({ createdAt: STORE_NOON });
    await keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
    const noted: (ApiKey['lastUsedAt'])[] = [];
    for (const [number, after] of [0, 59_999, 60_000, 1].entries()) {
      await driver.serve(number, anEnding(0), { keyId: key.id, startedAt: later(STORE_NOON, after) });
      noted.push((await keys.findById(STORE_ALICE, key.id))?.lastUsedAt ?? null);
    }
    expect(noted).toEqual([STORE_NOON, STORE_NOON, later(STORE_NOON, 60_000), later(STORE_NOON, 60_000)]);
  });
}
