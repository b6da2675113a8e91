import { expect, it } from '@jest/globals';
import {
  type AccountId, ALL_ACCOUNTS, type ApiKeyId, later, type ModelSlug, NO_USAGE_FILTERS, ServiceTokens, type UsagePage, type UsageQuery,
} from '@tollgate/core';
import { aService, anEnding, anUnservedEnding } from '../../builders/an-ending.js';
import { requestId, STORE_ALICE, STORE_BOB, STORE_NOON, type StoreDriver } from '../store-subject.js';

type Start = () => Promise<StoreDriver>;

const NEWEST_FIRST = ['req_4', 'req_6', 'req_5', 'req_3', 'req_2', 'req_1'];
/** More than there are records. */
const MOST_PAGES = 10;

async function serve(driver: StoreDriver): Promise<void> {
  await driver.credit('1000', STORE_BOB);
  const at = (seconds: number) => ({ endedAt: later(STORE_NOON, seconds * 1000) });
  const bob = { accountId: STORE_BOB, keyId: 'key_bob' as ApiKeyId };
  await driver.serve(1, anEnding(10, at(1)), { attribution: 'ann' });
  await driver.serve(2, anEnding(20, at(1)), { ...bob, attribution: 'ann' });
  await driver.serve(3, anEnding(30, at(2)));
  await driver.serve(4, anEnding(40, { ...at(4), service: aService({ servedBy: 'large' as ModelSlug }) }), bob);
  await driver.serve(5, anEnding(50, at(3)));
  await driver.serve(6, anUnservedEnding(at(3)), bob);
}

/** What operators read of all accounts at once. */
export function allAccountsContract(start: Start): void {
  const startServed: Start = async () => {
    const driver = await start();
    await serve(driver);
    return driver;
  };
  const pageOf = (driver: StoreDriver, differences: Partial<UsageQuery>): Promise<UsagePage | null> => (
    driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: 100, cursor: null, ...differences }));
  const idsOf = (page: UsagePage | null): readonly string[] | null => page?.records.map((record) => record.requestId) ?? null;

  it.each<[string, Partial<UsageQuery>, readonly string[]]>([
    ['everything', {}, NEWEST_FIRST],
    ['a period', { from: later(STORE_NOON, 2000), to: later(STORE_NOON, 4000) }, ['req_6', 'req_5', 'req_3']],
    ['a user', { attribution: 'ann' }, ['req_2', 'req_1']],
    ['a key', { keyId: 'key_bob' as ApiKeyId }, ['req_4', 'req_6', 'req_2']],
    ['a model', { model: 'large' as ModelSlug }, ['req_4']],
    ['a reason to end', { endReason: 'provider_unavailable' }, ['req_6']],
    ['charges from an amount on', { leastCharge: ServiceTokens.parse('40') }, ['req_4', 'req_5']],
    ['nothing where nothing matches', { attribution: 'ben' }, []],
  ])('lists records of all accounts newest first: %s', async (_, differences, expected) => {
    expect(idsOf(await pageOf(await startServed(), differences))).toEqual(expected);
  });

  it.each([1, 2, 4])('reads on through all accounts by cursor without a gap or a repetition, %i at a time', async (limit) => {
    const driver = await startServed();
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page: UsagePage | null = await pageOf(driver, { limit, cursor });
      seen.push(...idsOf(page) ?? []);
      cursor = page?.nextCursor ?? null;
      if (cursor === null) break;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it('says whose each record is, and finds one without knowing it', async () => {
    const driver = await startServed();
    const owners: readonly [number, AccountId][] = [[4, STORE_BOB], [5, STORE_ALICE]];
    for (const [number, accountId] of owners) {
      const record = await driver.store.usage.find(ALL_ACCOUNTS, requestId(number));
      expect(record).toEqual(await driver.store.usage.find(accountId, requestId(number)));
      expect(record?.accountId).toBe(accountId);
    }
    expect(await driver.store.usage.find(ALL_ACCOUNTS, requestId(7))).toBeNull();
  });

  it('keeps the cursors of all accounts and of one apart', async () => {
    const driver = await startServed();
    const cursorOf = async (accountId: UsageQuery['accountId']): Promise<string | null> => (await pageOf(driver, { accountId, limit: 1 }))?.nextCursor ?? null;
    const [ofAll, ofAlice] = [await cursorOf(ALL_ACCOUNTS), await cursorOf(STORE_ALICE)];
    expect([ofAll, ofAlice]).not.toContain(null);
    expect(await pageOf(driver, { accountId: STORE_ALICE, cursor: ofAll })).toBeNull();
    expect(await pageOf(driver, { cursor: ofAlice })).toBeNull();
  });
}
