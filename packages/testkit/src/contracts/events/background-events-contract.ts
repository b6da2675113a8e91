import { type BackgroundEvents, type Condition, type EventLog, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type ReachedCap, SYSTEM_ACTOR, type UtcDay } from '@tollgate/core';
import { creationOf, numberedKey, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { accountEvents, readAll } from './events-subject.js';

export interface BackgroundEventsSubject extends StoreSubject {
  readonly backgroundEvents: BackgroundEvents;
  readonly events: EventLog;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const DOWN: Condition = { kind: 'upstream-down', upstreamId: 'primary', upstreamModel: 'large' };
const DATA = { upstream: 'primary', upstream_model: 'large' };

/** Tests the events that background tasks store. Adapters run it over every database. */
export function backgroundEventsContract(name: string, make: () => Promise<BackgroundEventsSubject>): void {
  describe(`BackgroundEvents contract: ${name}`, () => {
    let store: BackgroundEventsSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
    });
    afterEach(() => driver.close());

    const ofPlatform = async () => (await readAll(store.events)).filter(({ accountId }) => accountId === null).map(({ type, data }) => [type, data]);

    it('reports a reached cap once per account and period', async () => {
      const day: ReachedCap = { accountId: STORE_ALICE, period: '2026-11-18' as UtcDay, maximum: 100, used: 90 };
      const { backgroundEvents } = store;
      const stored = await Promise.all(Array.from({ length: 5 }, () => backgroundEvents.capReached(day, STORE_NOON)));
      expect(stored.filter(Boolean)).toHaveLength(1);
      const others: readonly ReachedCap[] = [{ ...day, period: '2026-11' as UtcDay }, { ...day, period: '2026-11-19' as UtcDay }, { ...day, accountId: STORE_BOB }];
      for (const cap of others) expect(await backgroundEvents.capReached(cap, STORE_NOON)).toBe(true);
      expect(await backgroundEvents.capReached({ ...day, period: '2027-03-01' as UtcDay }, later(STORE_NOON, 100 * MILLISECONDS_PER_DAY))).toBe(true);
      const told = (await accountEvents(store.events, STORE_ALICE, 'account.')).filter(([type]) => type === 'account.cap_reached').map(([, data]) => data);
      expect(told).toEqual(['2026-11-18', '2026-11', '2026-11-19', '2027-03-01'].map((period) => ({ period, limit: 100, used: 90 })));
    });

    it('reports the expiry of a key once, and no expiry of a key that was revoked earlier', async () => {
      const ends = later(STORE_NOON, MILLISECONDS_PER_HOUR);
      for (const number of [1, 2]) await store.keys.create(creationOf(numberedKey(number, { expiresAt: ends })));
      await store.keys.create(creationOf(numberedKey(3)));
      await store.keys.revoke(STORE_ALICE, numberedKey(2).id, BY);
      const { backgroundEvents } = store;
      expect(await backgroundEvents.keysExpired(later(ends, -1))).toBe(0);
      await Promise.all([backgroundEvents.keysExpired(ends), backgroundEvents.keysExpired(ends)]);
      expect(await backgroundEvents.keysExpired(ends)).toBe(0);
      const told = (await accountEvents(store.events, STORE_ALICE, 'key.')).filter(([type]) => type === 'key.expired');
      expect(told).toEqual([['key.expired', { key_id: 'key_1', expired_at: '2026-11-18T13:00:00.000Z' }]]);
    });

    it('stores one event while any gateway reports a condition, and one for its end after a minute without reports', async () => {
      const { backgroundEvents } = store;
      let at = STORE_NOON;
      for (let turn = 0; turn < 5; turn += 1) {
        await Promise.all([backgroundEvents.conditionsHold([DOWN], at), backgroundEvents.conditionsHold([DOWN], at)]);
        expect(await backgroundEvents.conditionsEnd(at)).toBe(0);
        at = later(at, MILLISECONDS_PER_MINUTE - 1);
      }
      expect(await ofPlatform()).toEqual([['upstream.down', DATA]]);
      at = later(at, 1);
      await Promise.all([backgroundEvents.conditionsEnd(at), backgroundEvents.conditionsEnd(at)]);
      expect(await ofPlatform()).toEqual([['upstream.down', DATA], ['upstream.up', DATA]]);
      await backgroundEvents.conditionsHold([DOWN], at);
      expect((await ofPlatform()).map(([type]) => type)).toEqual(['upstream.down', 'upstream.up', 'upstream.down']);
    });

    it('reports refused credentials and a ledger disagreement again only after an hour without reports', async () => {
      const { backgroundEvents } = store;
      const conditions: readonly Condition[] = [{ kind: 'credentials-refused', upstreamId: 'primary' }, { kind: 'ledger-disagreement' }];
      const both = [['upstream.credentials_refused', { upstream: 'primary' }], ['ledger.disagreement', {}]];
      await backgroundEvents.conditionsHold(conditions, STORE_NOON);
      expect(await backgroundEvents.conditionsEnd(later(STORE_NOON, MILLISECONDS_PER_HOUR - 1))).toBe(0);
      await backgroundEvents.conditionsHold(conditions, STORE_NOON);
      expect(await ofPlatform()).toEqual(both);
      const anHourLater = later(STORE_NOON, MILLISECONDS_PER_HOUR);
      expect(await backgroundEvents.conditionsEnd(anHourLater)).toBe(2);
      await backgroundEvents.conditionsHold(conditions, anHourLater);
      expect(await ofPlatform()).toEqual([...both, ...both]);
    });
  });
}
