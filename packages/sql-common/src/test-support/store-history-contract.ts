import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { numberedKey, creationOf, keyHashOf, STORE_ALICE, STORE_NOON, anEnding, StoreDriver } from '@tollgate/testkit';
import { SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '../store/sql-store.js';

/** A store whose database can be set back to what it was at a mark. */
export interface SetBackSubject {
  readonly store: SqlStore;
  mark(): Promise<void>;
  /** Gives back the store over the database as it was. */
  setBack(): Promise<SqlStore>;
  remove(): Promise<void>;
}

const NOTHING_SEEN = { ledger: null, audit: null };

export function storeHistoryContract(database: string, make: () => Promise<SetBackSubject>): void {
  describe(`StoreHistory: ${database}`, () => {
    let subject: SetBackSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make();
      driver = await StoreDriver.start(() => subject.store);
      await driver.credit('100');
      await subject.store.keys.create(creationOf(numberedKey(1)));
    });
    afterEach(() => subject.remove());

    it('misses nothing of a database that grows, and begins with nothing', async () => {
      const { history } = subject.store;
      const first = await history.compare(NOTHING_SEEN);
      expect(first).toMatchObject({ lost: [], newest: { ledger: { number: 1 }, audit: { number: 4 } } });
      await driver.serve(1, anEnding(3));
      const second = await history.compare(first.newest);
      expect(second).toMatchObject({ lost: [], newest: { ledger: { number: 2 } } });
    });

    it('misses entries of a database that was set back, also once others have their numbers', async () => {
      await subject.mark();
      await driver.serve(1, anEnding(3));
      await subject.store.keys.revoke(STORE_ALICE, numberedKey(1).id, { actor: SYSTEM_ACTOR, at: STORE_NOON });
      const { newest: seen } = await subject.store.history.compare(NOTHING_SEEN);
      const store = await subject.setBack();
      const after = await store.history.compare(seen);
      expect(after.lost).toEqual(['ledger', 'audit']);
      expect(after.newest.ledger?.number).toBeLessThan(seen.ledger?.number ?? 0);
      const again = new StoreDriver(store);
      for (let number = 2; number < 50; number += 1) await again.serve(number, anEnding(1));
      await store.keys.revoke(STORE_ALICE, numberedKey(1).id, { actor: SYSTEM_ACTOR, at: STORE_NOON + 1 as typeof STORE_NOON });
      expect((await store.history.compare(seen)).lost).toEqual(['ledger', 'audit']);
      store.history.forgetCached();
      expect((await store.keys.findByHash(keyHashOf(1)))?.key.revokedAt).not.toBeNull();
    });
  });
}
