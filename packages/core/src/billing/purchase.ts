import { type ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/ids.js';

/**
 * Requests that are charged as one: each but the first took over the idempotency key of an earlier request whose claim had become void. Together they
 * are charged the largest of their costs, whatever the order of settlement. Refunded charges count as paid. Reversed charges do not, because they
 * were never due.
 */
export interface Purchase {
  /** Identifies the purchase. */
  readonly firstRequestId: RequestId;
  /** The part of this request's cost that other requests of the purchase have paid. */
  readonly covered: ServiceTokens;
}

/** `paid`: what the purchase has paid so far, less reversals. */
export function coveredBy(paid: ServiceTokens, cost: ServiceTokens): ServiceTokens {
  return smallerOf(paid, cost);
}
