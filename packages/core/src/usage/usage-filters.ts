import type { EndReason, UsageRecord } from '../billing/usage-record.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

/** Scope of operators. It is a symbol, so that no client input can equal it. */
export const ALL_ACCOUNTS: unique symbol = Symbol('all accounts');

export type UsageScope = AccountId | typeof ALL_ACCOUNTS;

/** A filter that is `null` matches everything. Filters apply to records as readers see them, with any late settlement. */
export interface UsageFilters {
  /** Inclusive; compared with the end of a request. */
  readonly from: Instant | null;
  /** Exclusive. */
  readonly to: Instant | null;
  /** Model that served the request. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
  readonly attribution: string | null;
  readonly endReason: EndReason | null;
  /** Inclusive. */
  readonly leastCharge: ServiceTokens | null;
}

export const NO_USAGE_FILTERS: UsageFilters = {
  from: null, to: null, model: null, keyId: null, attribution: null, endReason: null, leastCharge: null,
};

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
