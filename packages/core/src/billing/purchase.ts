import { type ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/primitives.js';

/**
 * A purchase that several requests make together: each after the first took over the idempotency key of an earlier one,
 * whose process was taken for dead. Together they are charged the largest of their charges, in whatever order they are settled.
 * What was refunded of a charge still counts as paid, so that a gift is never charged again; what was reversed does not, since it was never due.
 */
export interface Purchase {
  /** It names the purchase. */
  readonly firstRequestId: RequestId;
  /** The part of this request's cost that the other requests of the purchase were charged. */
  readonly covered: ServiceTokens;
}

/** The part of a cost that a purchase has already been charged, less reversals; the rest is due. */
export function coveredBy(paid: ServiceTokens, cost: ServiceTokens): ServiceTokens {
  return smallerOf(paid, cost);
}
