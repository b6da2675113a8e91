import type { Charge, Price, TokenRate } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Usage } from '../money/usage.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Purchase } from './purchase.js';

export type WireFormatName = 'chat' | 'messages' | 'responses';

/**
 * Why a request ended. Stored and shown as it stands here. `empty`: as `completed`, of a reply without any content or output token. `time_limit_reached`: the generation was ended after some output, since it took too long.
 * `internal_error`: a part of the service itself failed, the ledger for example.
 */
export const END_REASONS = [
  'completed', 'empty', 'balance_exhausted', 'key_limit_reached', 'time_limit_reached', 'client_left', 'provider_failed', 'provider_unavailable', 'request_rejected',
  'shutdown', 'crashed', 'internal_error',
] as const;

export type EndReason = (typeof END_REASONS)[number];

/** Of replies that came to an end which their clients see as one, whether the provider or a bound ended them. */
export const FINISHED_REASONS: readonly EndReason[] = ['completed', 'empty', 'balance_exhausted', 'key_limit_reached', 'time_limit_reached'];

/** What is known of a request when its reservation is opened, and never changes. */
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

/** Which model serves a request, where, and at which price. */
export interface ServedModel {
  readonly servedBy: ModelSlug;
  /** The upstream of the catalogue, for operators; `null` where nothing of the kind did the work, and in records from before it was kept. */
  readonly upstreamId: string | null;
  readonly fallbackUsed: boolean;
  readonly price: Price;
  /** Settings of the request that the upstream was not sent: `reasoning`. Absent: none. */
  readonly omitted?: readonly string[];
}

/** How a request ended and what it used; what `Ledger.settle` is given. */
export interface Ending {
  readonly reason: EndReason;
  /** `null` when nothing served the request; it then costs nothing. */
  readonly service: ServedModel | null;
  readonly usage: Usage;
  readonly firstOutputAt: Instant | null;
  readonly endedAt: Instant;
}

/** One per accepted request, for ever. Its charge can be recomputed from its own fields. */
export interface UsageRecord extends RequestFacts, Ending {
  readonly charge: Charge;
  /** The part of the computed charge that the balance could not pay. */
  readonly writeOff: ServiceTokens;
  /** `null` for a request that was a purchase of its own. */
  readonly purchase: Purchase | null;
  /** When the last of it was booked, which may be long after its end; `null` in records from before this was kept. */
  readonly settledAt: Instant | null;
}

/** A usage record with what was set aside for its request, as readers are shown it. */
export interface UsageReport extends UsageRecord {
  /** At most, extensions included; `null` where the reservation is lost. */
  readonly reserved: ServiceTokens | null;
  /** When it was set aside; `null` where the reservation is lost. */
  readonly admittedAt: Instant | null;
}

/** Whether a request was served and paid for to its end, so that its idempotency key is used up. A checkpoint is not the end. */
export function wasPaidToItsEnd({ reason, charge }: Pick<UsageRecord, 'reason' | 'charge'>): boolean {
  return FINISHED_REASONS.includes(reason) || (reason !== 'crashed' && !charge.amount.isZero());
}
