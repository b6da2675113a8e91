import { type ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/primitives.js';

/**
 * Several requests that are charged as one: each took over an idempotency key from an earlier one whose process counted as dead.
 * Together they are charged the largest of their costs, in whatever order they settle. A refunded charge still counts as paid; a
 * reversed one does not, since it was never due.
 */
export interface Purchase {
  /** Identifies the purchase. */
  readonly firstRequestId: RequestId;
  /** The part of this request's cost that other requests of the purchase were charged. */
  readonly covered: ServiceTokens;
}

/** The part of a cost that the purchase has already paid, less reversals. */
export function coveredBy(paid: ServiceTokens, cost: ServiceTokens): ServiceTokens {
  return smallerOf(paid, cost);
}
