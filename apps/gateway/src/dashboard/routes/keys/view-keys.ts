import type { ReplyOf } from '@tollgate/dashboard-contract';
import type { contract } from '@tollgate/dashboard-contract';
import {
  type AccountId, type ApiKey, type ApiKeyId, budgetAt, type Catalogue, type CatalogueSource, type Clock, endOfPeriod, type Instant, keyLimitOf, type KeyRepository, type KeySpending, later,
  MILLISECONDS_PER_DAY, rfc3339, type SpendingLimit, startOfNextUtcDay, type UsageReader,
} from '@tollgate/core';
import { encodeAmount } from '../../../routes/account/encode-account.js';
import { encodeApiKey } from '../../../routes/api-keys/encode-api-key.js';

export type OwnKey = ReplyOf<typeof contract.readKey>;

export interface KeyViewPorts {
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

const COUNTED_DAYS = 7;
/** Keys by which the requests of some days are summed up. */
const COUNTED_KEYS = 1000;

/** What is known of a key at one moment, beside itself. */
interface KeyFacts {
  readonly now: Instant;
  /** `null` for a key without a limit. */
  readonly spending: KeySpending | null;
  readonly requests: number | null;
  readonly catalogue: Catalogue;
}

/** What of a limit no request can use: less is left than the smallest one sets aside. */
function isReached(limit: SpendingLimit, { spent, reserved }: KeySpending, { minimumReservation }: Catalogue): boolean {
  return limit.amount.minus(spent).minus(reserved).isLessThan(minimumReservation);
}

function encodeOwnKey(key: ApiKey, { now, spending, requests, catalogue }: KeyFacts): OwnKey {
  const { limit } = key;
  const { usdPerServiceToken } = catalogue;
  return {
    ...encodeApiKey(key, now),
    blocked: key.blocked,
    models: key.models === null ? null : [...key.models],
    spending_limit: limit === null ? null : { svc_tokens: limit.amount.toString(), period: limit.period },
    spent: spending === null ? null : encodeAmount(spending.spent, usdPerServiceToken),
    reserved: spending === null ? null : encodeAmount(spending.reserved, usdPerServiceToken),
    limit_reached: limit !== null && spending !== null && isReached(limit, spending, catalogue),
    spending_resets_at: limit === null ? null : rfc3339(endOfPeriod(limit, now)),
    requests_7_days: requests,
  };
}

/** How many requests each key made in the last days; `null` for one of so many keys that it is not among them. */
async function requestsByKey(accountId: AccountId, { usage, clock }: KeyViewPorts): Promise<(id: ApiKeyId) => number | null> {
  const to = startOfNextUtcDay(clock.now());
  const from = later(to, -COUNTED_DAYS * MILLISECONDS_PER_DAY);
  const buckets = await usage.summary({ accountId, from, to, groupBy: 'key', limit: COUNTED_KEYS });
  const counts = new Map(buckets.map(({ group, requests }) => [group, requests]));
  const others = buckets.length < COUNTED_KEYS ? 0 : null;
  return (id) => counts.get(id) ?? others;
}

/** Keys of one account as their owner sees them. */
export async function viewKeys(accountId: AccountId, keys: readonly ApiKey[], ports: KeyViewPorts): Promise<readonly OwnKey[]> {
  const now = ports.clock.now();
  const limited = keys.flatMap((key) => {
    const limit = keyLimitOf(key);
    return limit === null ? [] : [{ id: key.id, budget: budgetAt(limit, now) }];
  });
  const [spendings, requestsOf] = await Promise.all([ports.keys.spendingOfAll(limited.map(({ budget }) => budget)), requestsByKey(accountId, ports)]);
  const spendingById = new Map(limited.map(({ id }, position) => [id, spendings[position]]));
  const catalogue = ports.catalogue.current();
  return keys.map((key) => encodeOwnKey(key, { now, spending: spendingById.get(key.id) ?? null, requests: requestsOf(key.id), catalogue }));
}

/** One key as its owner sees it. */
export async function viewKey(key: ApiKey, ports: KeyViewPorts): Promise<OwnKey> {
  const [view] = await viewKeys(key.accountId, [key], ports);
  if (view === undefined) throw new RangeError('one key has one view');
  return view;
}
