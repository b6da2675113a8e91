import {
  type AccountId, type ApiKey, type ApiKeyId, budgetAt, type CatalogueSource, type Clock, keyLimitOf, type KeyRepository, later, MILLISECONDS_PER_DAY,
  startOfNextUtcDay, type UsageReader,
} from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import { encodeBoundedApiKey } from '@tollgate/wire-kit';

export type OwnKey = ReplyOf<typeof contract.readKey>;

export interface KeyViewPorts {
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

const COUNTED_DAYS = 7;
/** Keys in a usage breakdown. */
const COUNTED_KEYS = 1000;

/** `null` beyond the first `COUNTED_KEYS`. */
async function requestsByKey(accountId: AccountId, { usage, clock }: KeyViewPorts): Promise<(id: ApiKeyId) => number | null> {
  const to = startOfNextUtcDay(clock.now());
  const from = later(to, -COUNTED_DAYS * MILLISECONDS_PER_DAY);
  const buckets = await usage.summary({ accountId, from, to, groupBy: 'key', limit: COUNTED_KEYS });
  const counts = new Map(buckets.map(({ group, requests }) => [group, requests]));
  const others = buckets.length < COUNTED_KEYS ? 0 : null;
  return (id) => counts.get(id) ?? others;
}

export async function viewKeys(accountId: AccountId, keys: readonly ApiKey[], ports: KeyViewPorts): Promise<readonly OwnKey[]> {
  const now = ports.clock.now();
  const limited = keys.flatMap((key) => {
    const limit = keyLimitOf(key);
    return limit === null ? [] : [{ id: key.id, budget: budgetAt(limit, now) }];
  });
  const [spendings, requestsOf] = await Promise.all([ports.keys.spendingOfAll(limited.map(({ budget }) => budget)), requestsByKey(accountId, ports)]);
  const spendingById = new Map(limited.map(({ id }, position) => [id, spendings[position]]));
  const catalogue = ports.catalogue.current();
  return keys.map((key) => ({ ...encodeBoundedApiKey(key, { now, spending: spendingById.get(key.id) ?? null, catalogue }), requests_7_days: requestsOf(key.id) }));
}

export async function viewKey(key: ApiKey, ports: KeyViewPorts): Promise<OwnKey> {
  const [view] = await viewKeys(key.accountId, [key], ports);
  if (view === undefined) throw new RangeError('no view was made of the key');
  return view;
}
