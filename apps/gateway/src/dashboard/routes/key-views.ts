import {
  type AccountId, type ApiKey, type ApiKeyId, budgetAt, type CatalogueSource, type Clock, keyLimitOf, type KeyRepository, later, MILLISECONDS_PER_DAY, rfc3339,
  startOfNextUtcDay, type UsageReader,
} from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import { encodeBoundedApiKey } from '@tollgate/wire-kit';
import type { AdministrationPorts } from '../call/dashboard-ports.js';

export type OwnKey = ReplyOf<typeof contract.readKey>;

export interface KeyViewPorts {
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
  readonly administration: Pick<AdministrationPorts, 'lookups'>;
}

const COUNTED_DAYS = 7;
/** Maximum number of keys in the usage breakdown. */
const COUNTED_KEYS = 1000;

/** Requests of the last `COUNTED_DAYS` days by key. The returned function returns `null` for a key beyond the first `COUNTED_KEYS`. */
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
  const [spendings, requestsOf, updates] = await Promise.all([
    ports.keys.spendingOfAll(limited.map(({ budget }) => budget)), requestsByKey(accountId, ports), ports.administration.lookups.keyUpdatesOf(keys.map(({ id }) => id)),
  ]);
  const spendingById = new Map(limited.map(({ id }, position) => [id, spendings[position]]));
  const catalogue = ports.catalogue.current();
  return keys.map((key, place) => ({
    ...encodeBoundedApiKey(key, { now, spending: spendingById.get(key.id) ?? null, catalogue }), updated_at: rfc3339(updates[place] ?? key.createdAt), requests_7_days: requestsOf(key.id),
  }));
}

export async function viewKey(key: ApiKey, ports: KeyViewPorts): Promise<OwnKey> {
  const [view] = await viewKeys(key.accountId, [key], ports);
  if (view === undefined) throw new RangeError('no view was made of the key');
  return view;
}
