import type { Whole } from './columns.js';

/** Requests that one idempotency key served together. `covered`: of the cost that the record states, charged with the others; `covered_late`: of the late settlement. */
export interface PurchaseRequestTable {
  request_id: string;
  /** The first request of the purchase. */
  purchase_id: string;
  covered: Whole;
  covered_late: Whole;
}
