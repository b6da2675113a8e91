import type { PriceVersion } from '../models/price-list.js';
import type { Charge } from '../money/charge.js';
import type { Price } from '../money/price.js';
import type { TokenRate } from '../money/token-rate.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../money/usage.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { Purchase } from './purchase.js';

export type WireFormatName = 'chat' | 'messages' | 'responses';

/**
 * Stored and shown verbatim. `empty`: completed without any content or output token. `time_limit_reached`: the time limit ended the response after
 * some output. `internal_error`: the service failed, for example its ledger.
 */
export const END_REASONS = [
  'completed', 'empty', 'balance_exhausted', 'key_limit_reached', 'time_limit_reached', 'client_left', 'provider_failed', 'provider_unavailable', 'request_rejected',
  'shutdown', 'crashed', 'internal_error',
] as const;

export type EndReason = (typeof END_REASONS)[number];

/** Reasons after which the client sees a regular end of the response. */
export const FINISHED_REASONS: readonly EndReason[] = ['completed', 'empty', 'balance_exhausted', 'key_limit_reached', 'time_limit_reached'];

/** What is known at the reservation; it never changes. */
export interface RequestFacts {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly format: WireFormatName | null;
  readonly streamed: boolean;
  readonly requestedModel: string;
  readonly attribution: string | null;
  readonly usdPerServiceToken: TokenRate;
  readonly startedAt: Instant;
}

export interface ServedModel {
  readonly servedBy: ModelSlug;
  /** For operators; `null` without an upstream. */
  readonly upstreamId: string | null;
  readonly fallbackUsed: boolean;
  readonly price: Price;
  /** Version of the price; `null` for a price from outside the catalogue. */
  readonly priceVersion: PriceVersion | null;
  /** Parameters of the request that the upstream did not receive, or received in part or with another value, such as `reasoning`; default none. */
  readonly omitted?: readonly string[];
}

export interface Ending {
  readonly reason: EndReason;
  /** `null` if no model served the request, which is then free. */
  readonly service: ServedModel | null;
  readonly usage: Usage;
  readonly firstOutputAt: Instant | null;
  readonly endedAt: Instant;
}

/** Every accepted request has a usage record once it has ended. The record is never deleted, and suffices to recompute the charge. */
export interface UsageRecord extends RequestFacts, Ending {
  readonly charge: Charge;
  /** The part of the cost that could not be paid, or exceeds a promised maximum. */
  readonly writeOff: ServiceTokens;
  /** `null` unless the request took over an idempotency key, or another request took over the key of this one. */
  readonly purchase: Purchase | null;
  /** Time of the last settlement, possibly long after the end. */
  readonly settledAt: Instant;
}

/** A usage record with what readers see of its reservation. */
export interface UsageReport extends UsageRecord {
  /** Includes extensions; `null` if the store no longer has the reservation. */
  readonly reserved: ServiceTokens | null;
  /** Time of the reservation; `null` if the store no longer has it. */
  readonly admittedAt: Instant | null;
}

/** True if the request ended regularly or was charged, so that its idempotency key stays used. False for a swept request. */
export function wasPaidToItsEnd({ reason, charge }: Pick<UsageRecord, 'reason' | 'charge'>): boolean {
  return FINISHED_REASONS.includes(reason) || (reason !== 'crashed' && !charge.amount.isZero());
}
