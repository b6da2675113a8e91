import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { numberedKey, creationOf, keyHashOf, OWNER, progressOf, reservationId, STORE_ALICE, STORE_NOON, anEnding, StoreDriver } from '@tollgate/testkit';
import { later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '../store/sql-store.js';
import { feedAfterRestoring } from './feed-after-restoring.js';

/** A store whose database can be restored to the state that it had at `mark`. */
export interface SetBackSubject {
  readonly store: SqlStore;
  mark(): Promise<void>;
  /** Restores the database, and opens a new store on it. */
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

    it('reports no loss at the first start, nor while the database grows', async () => {
      const { history } = subject.store;
      const first = await history.compare(NOTHING_SEEN);
      expect(first).toMatchObject({ lost: [], newest: { ledger: { number: 1 }, audit: { number: 4 } } });
      await driver.serve(1, anEnding(3));
      const second = await history.compare(first.newest);
      expect(second).toMatchObject({ lost: [], newest: { ledger: { number: 2 } } });
    });

    lostEndings(() => ({ subject, driver }));
    feedAfterRestoring(() => ({ subject, driver }));

    it('reports that entries were lost when the database was set back, even after new entries took the lost numbers', async () => {
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

function lostEndings(running: () => { readonly subject: SetBackSubject; readonly driver: StoreDriver }): void {
  it('settles each request whose settlement was lost as of its last checkpoint, although its process is alive', async () => {
    const { subject, driver } = running();
    for (const number of [1, 2, 3]) await driver.reserve(number, '10', { at: STORE_NOON });
    await subject.store.ledger.checkpoint({ ownerId: OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR), progress: new Map([[reservationId(1), progressOf(4)]]) });
    await subject.mark();
    for (const number of [1, 2]) await driver.settle(number, anEnding(6));
    expect(await driver.balance()).toBe('88/10/78');
    const store = await subject.setBack();
    const again = new StoreDriver(store);
    expect([await again.balance(), await store.ledger.sweep(STORE_NOON)]).toEqual(['100/30/70', []]);
    const at = later(STORE_NOON, MILLISECONDS_PER_MINUTE);
    expect(await store.ledger.sweepForgotten({ ownerId: OWNER, reservedBefore: at, isKnown: (id) => id === reservationId(3), at })).toHaveLength(2);
    expect(await again.balance()).toBe('96/10/86');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });
}
