import { type ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/ids.js';

/**
 * Requests charged as one: each took over an idempotency key from an earlier one whose process counted as dead. Together they are charged
 * the largest of their costs, in any order of settlement. Refunded charges count as paid; reversed ones do not: they were never due.
 */
export interface Purchase {
  /** Identifies the purchase. */
  readonly firstRequestId: RequestId;
  /** The part of the cost that other requests of the purchase were charged. */
  readonly covered: ServiceTokens;
}

/** `paid`: by the purchase, less reversals. */
export function coveredBy(paid: ServiceTokens, cost: ServiceTokens): ServiceTokens {
  return smallerOf(paid, cost);
}
