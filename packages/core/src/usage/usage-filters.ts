import type { EndReason, UsageRecord } from '../billing/usage-record.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** In place of an account id: the records of all accounts, for operators. A symbol, so that no text of a client is ever taken for it. */
export const ALL_ACCOUNTS: unique symbol = Symbol('all accounts');

/** Whose records are read. */
export type UsageScope = AccountId | typeof ALL_ACCOUNTS;

/** Which records are read; `null` filters nothing. A record is judged as readers see it, its late settlement included. */
export interface UsageFilters {
  /** Included, as all times here by the instant the request ended. */
  readonly from: Instant | null;
  /** Not included. */
  readonly to: Instant | null;
  /** The model that served. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
  readonly attribution: string | null;
  readonly endReason: EndReason | null;
  /** The smallest charge, included. */
  readonly leastCharge: ServiceTokens | null;
}

export const NO_USAGE_FILTERS: UsageFilters = {
  from: null, to: null, model: null, keyId: null, attribution: null, endReason: null, leastCharge: null,
};

/** Whether a record passes every filter. */
export function passesUsageFilters(record: UsageRecord, filters: UsageFilters): boolean {
  const { from, to, model, keyId, attribution, endReason, leastCharge } = filters;
  return (from === null || record.endedAt >= from)
    && (to === null || record.endedAt < to)
    && (model === null || record.service?.servedBy === model)
    && (keyId === null || record.keyId === keyId)
    && (attribution === null || record.attribution === attribution)
    && (endReason === null || record.reason === endReason)
    && (leastCharge === null || !record.charge.amount.isLessThan(leastCharge));
}
