import { type EventLog, later, MILLISECONDS_PER_DAY, type UsageEntry, type UsageFeed, type UsageFeedPage, type UtcDay } from '@tollgate/core';
import { anEnding, anUnservedEnding } from '../../builders/builders.js';
import { accountEvents } from '../events/events-subject.js';
import { OTHER_OWNER, progressOf, reservationId, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

export interface UsageFeedSubject extends StoreSubject {
  readonly usageFeed: UsageFeed;
  readonly events: EventLog;
}

const TODAY = '2026-11-18' as UtcDay;
const TOMORROW = '2026-11-19' as UtcDay;
const DAY_AFTER = '2026-11-20' as UtcDay;
const NEXT_NOON = later(STORE_NOON, MILLISECONDS_PER_DAY);

/** Reads a page of the feed. Throws if the feed returns anything else. */
export async function readUsageFeedPage(feed: UsageFeed, after: string | null = null, limit = 1_000): Promise<UsageFeedPage> {
  const reading = await feed.read({ after, limit });
  if (reading.outcome !== 'page') throw new Error(`the feed answered ${reading.outcome}`);
  return reading;
}

function shown({ number, kind, day, facts, charge, writeOff }: UsageEntry): string {
  return `${number} ${day} ${kind} ${facts.requestId} ${charge.amount.toString()}/${writeOff.toString()}`;
}

/** Tests what every database guarantees about the feed of usage. */
export function usageFeedContract(name: string, make: () => Promise<UsageFeedSubject>): void {
  describe(`UsageFeed contract: ${name}`, () => {
    let store: UsageFeedSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
    });
    afterEach(() => driver.close());

    const entries = async (): Promise<readonly string[]> => (await readUsageFeedPage(store.usageFeed)).entries.map(shown);

    /** Reserves a request and sweeps it at its checkpoint of 10 tokens. */
    async function sweep(number: number): Promise<void> {
      await driver.reserve(number, '20', { owner: OTHER_OWNER });
      await store.ledger.checkpoint({ ownerId: OTHER_OWNER, progress: new Map([[reservationId(number), progressOf(10)]]), at: STORE_NOON, leaseExpiresAt: STORE_NOON });
      await store.ledger.sweep(STORE_NOON);
    }

    it('contains each settlement and late settlement once, in the order of booking, with the amount that it booked', async () => {
      await driver.credit('100');
      await driver.serve(1, anEnding(5));
      await sweep(2);
      await driver.serve(3, anUnservedEnding());
      await driver.settle(2, anEnding(14));
      await driver.settle(2, anEnding(14));
      await driver.serve(4, anEnding(90), { accountId: STORE_ALICE });
      expect(await entries()).toEqual([
        '1 2026-11-18 settlement req_1 5/0', '2 2026-11-18 settlement req_2 10/0', '3 2026-11-18 settlement req_3 0/0', '4 2026-11-18 settlement req_4 81/9',
        '5 2026-11-18 late-settlement req_2 4/0',
      ]);
      const [, swept, , , late] = (await readUsageFeedPage(store.usageFeed)).entries;
      expect([swept?.ending.reason, late?.ending.reason, late?.ending.usage.visibleOutputTokens, late?.facts.accountId]).toEqual(['crashed', 'completed', 14, STORE_ALICE]);
    });

    it('continues after a cursor, with an empty page until a settlement is booked', async () => {
      expect(await readUsageFeedPage(store.usageFeed)).toEqual({ outcome: 'page', entries: [], nextCursor: null, hasMore: false });
      for (const number of [1, 2, 3]) await driver.serve(number, anEnding(0));
      const first = await readUsageFeedPage(store.usageFeed, null, 2);
      const rest = await readUsageFeedPage(store.usageFeed, first.nextCursor, 2);
      expect([first, rest].map(({ entries: some, hasMore }) => [some.map(({ number }) => number), hasMore])).toEqual([[[1, 2], true], [[3], false]]);
      expect(await readUsageFeedPage(store.usageFeed, rest.nextCursor)).toEqual({ outcome: 'page', entries: [], nextCursor: rest.nextCursor, hasMore: false });
      await driver.serve(4, anEnding(0), { accountId: STORE_BOB });
      expect((await readUsageFeedPage(store.usageFeed, rest.nextCursor)).entries.map(shown)).toEqual(['4 2026-11-18 settlement req_4 0/0']);
    });

    it('refuses a text that is not a cursor, and a cursor of another feed', async () => {
      await driver.serve(1, anEnding(0));
      const { usageFeed } = store;
      await readUsageFeedPage(usageFeed);
      for (const after of ['', 'abc', 'MSBldnRf', '💥']) expect(await usageFeed.read({ after, limit: 1 })).toEqual({ outcome: 'malformed' });
      const cursor = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
      expect(await usageFeed.read({ after: cursor('1 settlement req_1'), limit: 1 })).toMatchObject({ outcome: 'page' });
      for (const text of ['1 settlement req_2', '1 late-settlement req_1', '2 settlement req_1', '0 settlement req_1', '999999999999999999 settlement req_1']) {
        expect(await usageFeed.read({ after: cursor(text), limit: 1 })).toEqual({ outcome: 'lost' });
      }
    });

    it('returns 501 settlements in two pages, and states which page is the last one', async () => {
      await Promise.all(Array.from({ length: 501 }, (_, number) => driver.serve(number, anEnding(0))));
      const first = await readUsageFeedPage(store.usageFeed);
      expect([first.entries.length, first.hasMore]).toEqual([500, true]);
      const second = await readUsageFeedPage(store.usageFeed, first.nextCursor);
      expect([second.entries.length, second.hasMore]).toEqual([1, false]);
      expect(new Set([...first.entries, ...second.entries].map(({ facts }) => facts.requestId)).size).toBe(501);
      expect(await store.usageFeed.position()).toBe(0);
    });

    it('announces a closed day once per account, and adds later settlements of that day to the next day', async () => {
      await driver.credit('100');
      await driver.serve(1, anEnding(5));
      await sweep(2);
      await driver.serve(3, anEnding(0), { accountId: STORE_BOB });
      await store.usageFeed.closeDaysBefore(TODAY);
      expect(await store.usageFeed.announceClosedDays(STORE_NOON)).toBe(0);
      await store.usageFeed.closeDaysBefore(TOMORROW);
      await store.usageFeed.closeDaysBefore(TODAY);
      await driver.settle(2, anEnding(14));
      await driver.serve(4, anEnding(1, { endedAt: NEXT_NOON }));
      expect(await Promise.all([store.usageFeed.announceClosedDays(NEXT_NOON), store.usageFeed.announceClosedDays(NEXT_NOON)])).toContain(2);
      await store.usageFeed.closeDaysBefore(DAY_AFTER);
      await store.usageFeed.announceClosedDays(NEXT_NOON);
      expect(await store.usageFeed.announceClosedDays(NEXT_NOON)).toBe(0);
      expect(await accountEvents(store.events, STORE_ALICE, 'usage.')).toEqual([
        ['usage.day_closed', { day: TODAY, settlements: 2, late_settlements: 0, svc_tokens_debited: '15' }],
        ['usage.day_closed', { day: TOMORROW, settlements: 1, late_settlements: 1, svc_tokens_debited: '5' }],
      ]);
      expect(await accountEvents(store.events, STORE_BOB, 'usage.')).toEqual([['usage.day_closed', { day: TODAY, settlements: 1, late_settlements: 0, svc_tokens_debited: '0' }]]);
      expect(await entries()).toEqual([
        '1 2026-11-18 settlement req_1 5/0', '2 2026-11-18 settlement req_2 10/0', '3 2026-11-18 settlement req_3 0/0',
        '4 2026-11-19 settlement req_4 1/0', '5 2026-11-19 late-settlement req_2 4/0',
      ]);
    });
  });
}
