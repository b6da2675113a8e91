import { expect, it } from '@jest/globals';
import { type ModelSlug, NO_USAGE_FILTERS, ServiceTokens, type UsageFilters } from '@tollgate/core';
import { anEnding } from '../../builders/an-ending.js';
import { OWNER, STORE_ALICE, STORE_NOON, type StoreDriver } from '../store-subject.js';

/** A record is found by what it shows, which a late settlement changes. */
export function lateSettlementFilterContract(start: () => Promise<StoreDriver>): void {
  it.each<[string, Partial<UsageFilters>, Partial<UsageFilters>]>([
    ['the model that served', { model: 'small' as ModelSlug }, { model: 'large' as ModelSlug }],
    ['the reason of its end', { endReason: 'completed' }, { endReason: 'crashed' }],
    ['its whole charge', { leastCharge: ServiceTokens.parse('7') }, { leastCharge: ServiceTokens.parse('7.000001') }],
  ])('finds a record that was settled late by %s, and by nothing it showed before', async (_, matching, other) => {
    const driver = await start();
    await driver.reserve(1, '5');
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.settle(1, anEnding(7));
    const listed = async (filters: Partial<UsageFilters>): Promise<readonly string[]> => {
      const page = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 10, cursor: null, ...filters });
      return (page?.records ?? []).map(({ requestId }) => requestId);
    };
    expect([await listed(matching), await listed(other)]).toEqual([['req_1'], []]);
  });
}
